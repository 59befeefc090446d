//go:build !js

package studio_test

import (
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/web/internal/studiotest"
)

// modeled are the things of the screenshots, in the order of testdata/things.pov.
var modeled = []studiotest.Thing{
	{Name: "Mug", Teach: color.RGBA{255, 0, 0, 255}, Test: color.RGBA{0, 255, 255, 255}},
	{Name: "Duck", Teach: color.RGBA{0, 255, 0, 255}, Test: color.RGBA{255, 0, 255, 255}},
	{Name: "Cactus", Teach: color.RGBA{0, 0, 255, 255}, Test: color.RGBA{255, 255, 0, 255}},
}

const (
	views     = 14                     // per thing and segment
	perView   = 2                      // camera images per view: 0.27 s
	interval  = 270 * time.Millisecond // between two frames of the animation,
	shown     = 140                    // duration of a frame in milliseconds
	taughtBy  = 6                      // examples per thing
	pointerAt = `Object.assign(pointer.style, { left: "%fpx", top: "%fpx", background: %q })`
)

// TestScreenshots takes the images of the documents from a run of the studio: an animation
// of teaching and recognizing three things, and screenshots. The things are rendered, so
// the images are sharp and free of other people's rights. make screenshots runs it.
func TestScreenshots(t *testing.T) {
	dir := os.Getenv("DEEPEMD_SCREENSHOTS")
	if dir == "" {
		t.Skip("takes the screenshots of the documents: make screenshots")
	}
	var teach, test []studiotest.Segment
	for i, thing := range modeled {
		teach = append(teach, studiotest.Segment{Band: thing.Teach, Pictures: rendered(t, i, 1)})
		test = append(test, studiotest.Segment{Band: thing.Test, Pictures: rendered(t, i, 2)})
	}
	film := studiotest.Film(t, slices.Concat(teach, test))
	s := open(t, browsertest.Options{Camera: film, Timeout: 10 * time.Minute}, studiotest.Spy)
	s.Ready()
	s.Window(1120, 720)
	s.Click("#add-class")
	s.WaitCount(".cards .card", len(modeled))
	for i, thing := range modeled {
		s.Name(i+1, thing.Name)
	}
	s.StartCamera()
	s.film(filepath.Join(dir, "studio.webp"))
	s.stills()
	s.Quiet()
}

// rendered returns the views of a thing in one of its two segments. They stay in
// build/film; remove it to render them again.
func rendered(t *testing.T, thing, seed int) (pictures []image.Image) {
	t.Helper()
	folder := require.Value(filepath.Abs("../../../../build/film"))(t)
	require.NoError(t, os.MkdirAll(folder, 0o755))
	prefix := filepath.Join(folder, fmt.Sprintf("%d-%d-", thing, seed))
	if _, err := os.Stat(fmt.Sprintf("%s%02d.png", prefix, views)); err != nil {
		povray := exec.Command("povray", "testdata/things.pov", fmt.Sprintf("Declare=Thing=%d", thing), fmt.Sprintf("Declare=Seed=%d", seed),
			"+KFI1", fmt.Sprintf("+KFF%d", views), "+KI0", "+KF1", "+KC", "+W496", "+H480", "+A0.1", "+R2", "-D", "+O"+prefix)
		if out, err := povray.CombinedOutput(); err != nil {
			t.Fatalf("%v (Debian: apt-get install povray)\n%s", err, out)
		}
	}
	for i := range views {
		f, err := os.Open(fmt.Sprintf("%s%02d.png", prefix, i+1))
		require.NoError(t, err)
		picture, err := png.Decode(f)
		f.Close()
		require.NoError(t, err)
		pictures = append(pictures, slices.Repeat([]image.Image{picture}, perView)...)
	}
	return pictures
}

// film teaches the things, lets the studio recognize them, and writes its window as an
// animation.
func (s *studio) film(path string) {
	s.T.Helper()
	dir := s.T.TempDir()
	var frames []string
	next := time.Now()
	shoot := func() {
		time.Sleep(time.Until(next))
		next = time.Now().Add(interval)
		frames = append(frames, filepath.Join(dir, fmt.Sprintf("%03d.png", len(frames))))
		s.Screenshot(frames[len(frames)-1])
	}
	s.Eval(`globalThis.pointer = document.body.appendChild(document.createElement("div"));
		Object.assign(pointer.style, { position: "fixed", zIndex: 99, width: "22px", height: "22px", margin: "-11px", borderRadius: "50%",
			border: "2px solid white", boxShadow: "0 1px 5px #0009", pointerEvents: "none" });`)
	const up, down = "#0f172a66", "#dc2626cc"
	x, y := 700.0, 600.0
	for i, thing := range modeled {
		button := studiotest.Card(i+1) + " .capture"
		toX, toY := s.Center(button)
		s.WaitForSegment(thing.Teach)
		for step := range 3 {
			part := float64(step+1) / 3
			s.Eval(fmt.Sprintf(pointerAt, x+(toX-x)*part, y+(toY-y)*part, up))
			shoot()
		}
		x, y = toX, toY
		s.Eval(fmt.Sprintf(pointerAt, x, y, down))
		release := s.Press(button)
		for s.Count(studiotest.Card(i+1)+" .thumbnail") < taughtBy {
			shoot()
		}
		release()
		s.Eval(fmt.Sprintf(pointerAt, x, y, up))
		shoot()
	}
	s.Eval(`pointer.remove()`)
	for _, thing := range modeled {
		s.WaitForSegment(thing.Test)
		next = time.Now().Add(interval) // the first view has an answer
		for browsertest.Eval[bool](s.Browser, studiotest.Shows(thing.Test)) {
			shoot()
		}
	}
	args := []string{"-loop", "0", "-min_size", "-o", path}
	for _, frame := range frames {
		args = append(args, "-lossy", "-q", "75", "-m", "6", "-d", fmt.Sprint(shown), frame)
	}
	if out, err := exec.Command("img2webp", args...).CombinedOutput(); err != nil {
		s.T.Fatalf("img2webp: %v (Debian: apt-get install webp)\n%s", err, out)
	}
	s.T.Logf("%d frames", len(frames))
}

// stills takes the page as it answers, on a desktop and on a phone, and the dialog that
// explains the answer.
func (s *studio) stills() {
	s.T.Helper()
	for _, p := range []struct {
		name          string
		width, height int
		thing         int
	}{
		{"desktop", 1280, 760, 1},
		{"phone", 360, 740, 1},
	} {
		s.Window(p.width, p.height)
		s.Eval("scrollTo(0, 0)")
		// The film changes views faster than a screenshot is taken.
		sure := fmt.Sprintf(`(async () => {
			const video = document.querySelector("video");
			const sure = () => /^%s(9[0-9]|100)%%/.test(document.querySelector(".caption").textContent) && %s;
			const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
			for (let i = 0; i < 500 && !sure(); i++) await pause(20);
			video.pause();
			await pause(500);
			if (sure()) return true;
			await video.play();
			return false;
		})()`, modeled[p.thing].Name, studiotest.Shows(modeled[p.thing].Test))
		for try := 0; !browsertest.Eval[bool](s.Browser, sure); try++ {
			if try == 20 {
				s.T.Fatalf("no view of the %s that the page is sure of", modeled[p.thing].Name)
			}
		}
		s.Shot(p.name)
		if p.name == "desktop" {
			s.Window(p.width, 900)
			s.Click("#closer")
			s.WaitFor(`document.querySelector("#comparison[open] .figures")`)
			time.Sleep(500 * time.Millisecond)
			s.Shot("why")
			s.Click("#comparison header button")
		}
		s.Eval(`document.querySelector("video").play()`)
	}
}
