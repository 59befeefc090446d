//go:build !js

package browsers_test

import (
	"fmt"
	"image/color"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/web/internal/studiotest"
)

const (
	classes = 12
	shots   = 4 // examples of a class
	samples = 60
)

// watching counts the engine's answers, and finds the memory of the studio's program.
const watching = `
	globalThis.soak = { answers: 0 };
	globalThis.Worker = class extends Worker {
		constructor(...args) {
			super(...args);
			this.addEventListener("message", ({ data }) => { if (data?.ok && data.scores) soak.answers++; });
		}
	};
	for (const how of ["instantiate", "instantiateStreaming"]) {
		const before = WebAssembly[how];
		WebAssembly[how] = async (...args) => {
			const made = await before.apply(WebAssembly, args);
			const memory = (made.instance ?? made).exports.mem;
			if (memory) soak.memory = memory;
			return made;
		};
	}`

// minutes returns the duration of the test, which is skipped unless it is set.
func minutes(t *testing.T) float64 {
	text := os.Getenv("DEEPEMD_SOAK")
	if text == "" {
		t.Skip("runs for half an hour: make soak, or DEEPEMD_SOAK with the number of minutes")
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || !(n > 0) {
		t.Fatalf("DEEPEMD_SOAK is %q: want a number of minutes", text)
	}
	return n
}

// A studio with 12 classes watches a camera, learns, corrects and explains. Its memory after a
// garbage collection grows at most 5% from the period between a sixth and a half of the time to the
// last third.
func TestMemoryStays(t *testing.T) {
	all := time.Duration(minutes(t) * float64(time.Minute))
	var colors []color.RGBA
	for c := range classes {
		colors = append(colors, color.RGBA{uint8(20 * c), uint8(80 * (c % 4)), uint8(255 - 15*c), 255})
	}
	s := studiotest.Open(t, browsertest.Options{Camera: studiotest.DiscFilm(t, 4, colors...), Timeout: all + 20*time.Minute}, watching)
	s.Ready()
	for c, base := range colors {
		if c >= 2 {
			s.Click("#add-class")
			s.WaitCount(".cards .card", c+1)
		}
		var files []string
		for i := range shots {
			shade := color.RGBA{base.R + uint8(3*i), base.G + uint8(2*i), base.B, 255}
			files = append(files, studiotest.PictureFile(t, fmt.Sprintf("%d-%d.jpg", c, i), shade))
		}
		s.Drop(studiotest.Card(c+1), files...)
		s.WaitCount(".thumbnail", (c+1)*shots)
	}
	s.IsKept()
	s.Click("#start")
	s.WaitFor("soak.answers > 20")

	m := newMeter(t, s)
	begin := time.Now()
	for i := range samples {
		before := browsertest.Eval[int](s.Browser, "soak.answers")
		use(s, i)
		time.Sleep(time.Until(begin.Add(time.Duration(i+1) * all / samples)))
		s.WaitFor(fmt.Sprintf("soak.answers > %d", before+1))
		m.look(time.Since(begin))
	}
	t.Logf("%d answers", browsertest.Eval[int](s.Browser, "soak.answers"))
	m.judge(time.Since(begin))
	s.Quiet()
}

// use acts like a visitor: it takes examples with the camera, looks at the explanation, and undoes
// the examples, so that their number stays the same.
func use(s *studiotest.Studio, i int) {
	s.T.Helper()
	card := studiotest.Card(i%classes + 1)
	before := s.Count(card + " .thumbnail")
	release := s.Press(card + " .capture")
	s.WaitFor(fmt.Sprintf("document.querySelectorAll(%q).length > %d", card+" .thumbnail", before))
	release()
	s.WaitFor(`!document.querySelector(".card.held")`)
	s.IsKept()
	// Its content follows the camera and may disappear before it is read.
	s.Eval(`document.querySelector("#closer")?.click()`)
	time.Sleep(time.Second)
	s.Eval(`document.querySelector("#comparison[open]")?.close()`)
	s.WaitCount("#comparison[open]", 0)
	for s.Count(card+" .thumbnail") > before {
		s.Click("#undo")
		time.Sleep(100 * time.Millisecond)
	}
	s.WaitCount(card+" .thumbnail", before)
	s.IsKept()
}
