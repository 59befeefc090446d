package studio_test

import (
	"os"
	"slices"
	"testing"
	"time"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/web/internal/studiotest"
)

// glows says whether the picture is covered with light and shade.
const glows = `(() => {
	const canvas = document.querySelector(".where");
	const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
	const alpha = Array.from(data).filter((_, i) => i % 4 === 3);
	return canvas.width === 20 && Math.max(...alpha) > 100 && Math.min(...alpha) > 0;
})()`

// A switch shows where in the picture the evidence lies: over the camera, mirrored as it
// is, and over a picture that is tested.
func TestWhereTheEvidenceLies(t *testing.T) {
	s := open(t, browsertest.Options{Camera: studiotest.PlainFilm(t)}, studiotest.Spy, softReading)
	s.Ready()
	s.Drop(studiotest.Card(1), studiotest.PictureFile(t, "red.jpg", studiotest.Red))
	s.Drop(studiotest.Card(2), studiotest.PictureFile(t, "blue.jpg", studiotest.Blue))
	s.WaitCount(".thumbnail", 2)
	s.Drop("#view", studiotest.PictureFile(t, "test.jpg", studiotest.Blue))
	s.WaitFor(`document.querySelector("#where")`, 10*time.Second)
	s.Click("#where")
	s.WaitFor(`document.querySelector("#where").ariaPressed === "true" && `+glows, 20*time.Second)
	s.Shot("where-picture")
	s.startCamera()
	s.WaitFor(`document.querySelector(".caption:not(.hidden)") && `+glows, 20*time.Second)
	s.Shot("where")
	s.Click("#frame")
	s.Click("#mirror")
	s.WaitFor(`document.querySelector(".where.mirrored") && document.querySelector("video.mirrored")`, 10*time.Second)
	s.Click("#frame-done")
	s.Click("#where")
	s.WaitFor(`document.querySelector("#where").ariaPressed === "false" && !`+glows, 10*time.Second)
	s.Quiet()
}

// softReading has the drawing kept where the test can read it often.
const softReading = `
	const getContext = HTMLCanvasElement.prototype.getContext;
	HTMLCanvasElement.prototype.getContext = function (kind, options) {
		return getContext.call(this, kind, this.classList.contains("where") ? { ...options, willReadFrequently: true } : options);
	};`

// What it costs: DEEPEMD_WHERE=1 go test ./web/tests/studio -run TestWhereCosts -v
func TestWhereCosts(t *testing.T) {
	if os.Getenv("DEEPEMD_WHERE") == "" {
		t.Skip("measures for a minute: set DEEPEMD_WHERE=1")
	}
	s := open(t, browsertest.Options{Camera: studiotest.PlainFilm(t)}, studiotest.Spy)
	s.Ready()
	s.Drop(studiotest.Card(1), studiotest.PictureFile(t, "red.jpg", studiotest.Red), studiotest.PictureFile(t, "red2.jpg", studiotest.Red))
	s.Drop(studiotest.Card(2), studiotest.PictureFile(t, "blue.jpg", studiotest.Blue), studiotest.PictureFile(t, "blue2.jpg", studiotest.Blue))
	s.WaitCount(".thumbnail", 4)
	s.startCamera()
	if s.Count(".why.folded") == 0 {
		s.Click("#show-why")
	}
	s.WaitFor("spy.answers > 10", 20*time.Second)
	const rounds = 10
	var ratios []float64
	for range rounds {
		var rates [2]float64
		for i := range rates {
			s.Click("#where")
			time.Sleep(300 * time.Millisecond)
			n := browsertest.Eval[[]float64](s.Browser, `(async () => {
				const before = [performance.now(), spy.answers, spy.explained];
				await new Promise((resolve) => setTimeout(resolve, 2500));
				return [performance.now() - before[0], spy.answers - before[1], spy.explained - before[2]];
			})()`)
			rates[i] = 1000 * n[1] / n[0]
			t.Logf("where: %v, %.1f answers a second, %.1f of them explained", i == 0, rates[i], 1000*n[2]/n[0])
		}
		ratios = append(ratios, rates[0]/rates[1])
	}
	slices.Sort(ratios)
	t.Logf("answers a second, with it to without it: %.3f, of %.3f", (ratios[rounds/2-1]+ratios[rounds/2])/2, ratios)
}
