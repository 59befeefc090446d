//go:build !js

package studiotest

import (
	"fmt"
	"image/color"
	"math"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/deepemd/deepemd/internal/browsertest"
)

// Card returns the selector of the n-th class's card, from 1.
func Card(n int) string { return fmt.Sprintf(".cards .card:nth-of-type(%d)", n) }

// NothingCard is the selector of the background class's card.
const NothingCard = ".card.nothing"

// Text returns the text of the first matching element, or "".
func (s *Studio) Text(selector string) string {
	s.T.Helper()
	return browsertest.Eval[string](s.Browser, fmt.Sprintf(`document.querySelector(%q)?.innerText ?? ""`, selector))
}

// Count returns the number of matching elements.
func (s *Studio) Count(selector string) int {
	s.T.Helper()
	return browsertest.Eval[int](s.Browser, fmt.Sprintf(`document.querySelectorAll(%q).length`, selector))
}

// WaitCount waits until n elements match.
func (s *Studio) WaitCount(selector string, n int) {
	s.T.Helper()
	s.WaitFor(fmt.Sprintf(`document.querySelectorAll(%q).length === %d`, selector, n), 20*time.Second)
}

// Colors of discs in image files; see PictureFile.
var (
	Red   = color.RGBA{210, 40, 30, 255}
	Green = color.RGBA{40, 180, 60, 255}
	Blue  = color.RGBA{40, 60, 220, 255}
)

// ShowsColor fails the test unless the center of the thumbnail has approximately the color.
func (s *Studio) ShowsColor(thumbnail string, want color.RGBA) {
	s.T.Helper()
	s.WaitFor(fmt.Sprintf(`document.querySelector(%q).querySelector("img").naturalWidth > 0`, thumbnail), 10*time.Second)
	near := func(got []float64) bool {
		for i, v := range []uint8{want.R, want.G, want.B} {
			if math.Abs(got[i]-float64(v)) > 20 {
				return false
			}
		}
		return true
	}
	middle := fmt.Sprintf(`(() => {
		const image = document.querySelector(%q).querySelector("img");
		const context = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
		context.drawImage(image, image.naturalWidth / 2, image.naturalHeight / 2, 1, 1, 0, 0, 1, 1);
		return Array.from(context.getImageData(0, 0, 1, 1).data);
	})()`, thumbnail)
	// The previous example is visible until the image is read.
	browsertest.Until(s.T, fmt.Sprintf("%s is nearly %v in the middle", thumbnail, want), func() bool {
		return near(browsertest.Eval[[]float64](s.Browser, middle))
	})
}

// Drawn waits until the page has drawn pending changes.
func (s *Studio) Drawn() {
	s.T.Helper()
	s.WaitFor(`new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))`, 10*time.Second)
}

// Calm waits for the end of transitions and finite animations.
func (s *Studio) Calm() {
	s.T.Helper()
	s.Drawn()
	s.WaitFor(`document.getAnimations().every((a) => a.playState !== "running" || a.effect.getComputedTiming().endTime === Infinity)`, 10*time.Second)
}

// Frames waits for n more frames of the camera.
func (s *Studio) Frames(n int) {
	s.T.Helper()
	s.WaitFor(fmt.Sprintf(`new Promise((done) => {
		const video = document.querySelector("video");
		let left = %d;
		const next = () => left-- > 0 ? video.requestVideoFrameCallback(next) : done(true);
		next();
	})`, n), 20*time.Second)
}

// Knows waits for the engine to have n examples.
func (s *Studio) Knows(examples int) {
	s.T.Helper()
	s.WaitFor(fmt.Sprintf(`studio.engine.then((e) => e.classes.flatMap((c) => c.examples).length === %d)`, examples), 120*time.Second)
}

// IsKept waits until the project is saved.
func (s *Studio) IsKept() {
	s.T.Helper()
	s.WaitFor(`document.querySelector("#kept.saved")?.innerText.includes("Saved")`, 20*time.Second)
}

// SavedFile waits for a file that the page saves. Chromium creates an empty file of its name until
// the download is complete.
func (s *Studio) SavedFile(dir, ending string) (file string) {
	s.T.Helper()
	browsertest.Until(s.T, fmt.Sprintf("a file *%s in %s", ending, dir), func() bool {
		files, _ := filepath.Glob(filepath.Join(dir, "*"+ending))
		for _, file = range files {
			if facts, err := os.Stat(file); err == nil && facts.Size() > 0 {
				return true
			}
		}
		return false
	})
	return file
}

// Scheme sets the browser's preference for light or dark.
func (s *Studio) Scheme(name string) chromedp.Action[chromedp.Void] {
	return Command(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}},
	})
}

// Shot saves a screenshot to the folder DEEPEMD_SCREENSHOTS, if that is set.
func (s *Studio) Shot(name string) {
	s.T.Helper()
	if dir := os.Getenv("DEEPEMD_SCREENSHOTS"); dir != "" {
		s.Screenshot(filepath.Join(dir, name+".png"))
	}
}

// Quiet fails the test if the page logged an error or a warning, or sent a request to another
// origin.
func (s *Studio) Quiet(expected ...string) {
	s.T.Helper()
	s.NoProblems(expected...)
	for _, m := range s.Console() {
		if m.Type == chromedp.ConsoleWarning {
			s.T.Errorf("the page warns: %s (%s:%d)", m, m.URL, m.Line+1)
		}
	}
	for _, address := range s.Requests() {
		if !Inside(address, s.Origin) {
			s.T.Errorf("the page asked for %s", address)
		}
	}
}

// Inside reports whether an address is below the origin, which may include a folder, or is the
// page's own blob, whose address has the whole origin.
func Inside(address, origin string) bool {
	if made, ok := strings.CutPrefix(address, "blob:"); ok {
		a, errA := url.Parse(made)
		b, errB := url.Parse(origin)
		return errA == nil && errB == nil && a.Scheme == b.Scheme && a.Host == b.Host
	}
	return strings.HasPrefix(address, origin+"/") || strings.HasPrefix(address, "data:")
}
