//go:build !js

package studiotest

import (
	"fmt"
	"image/color"
	"math"
	"net/url"
	"strings"

	"github.com/deepemd/deepemd/internal/browsertest"
)

// Card returns the selector of the n-th class's card, from 1.
func Card(n int) string { return fmt.Sprintf(".cards .card:nth-of-type(%d)", n) }

// NothingCard is the selector of the background class's card.
const NothingCard = ".card.nothing"

// Colors of discs in image files; see PictureFile.
var (
	Red   = color.RGBA{210, 40, 30, 255}
	Green = color.RGBA{40, 180, 60, 255}
	Blue  = color.RGBA{40, 60, 220, 255}
)

// ShowsColor fails the test unless the center of the thumbnail has approximately the color.
func (s *Studio) ShowsColor(thumbnail string, want color.RGBA) {
	s.T.Helper()
	s.WaitFor(fmt.Sprintf(`document.querySelector(%q).querySelector("img").naturalWidth > 0`, thumbnail))
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
	s.WaitFor(`new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))`)
}

// Calm waits for the end of transitions and finite animations.
func (s *Studio) Calm() {
	s.T.Helper()
	s.Drawn()
	s.WaitFor(`document.getAnimations().every((a) => a.playState !== "running" || a.effect.getComputedTiming().endTime === Infinity)`)
}

// Frames waits for n more frames of the camera.
func (s *Studio) Frames(n int) {
	s.T.Helper()
	s.WaitFor(fmt.Sprintf(`new Promise((done) => {
		const video = document.querySelector("video");
		let left = %d;
		const next = () => left-- > 0 ? video.requestVideoFrameCallback(next) : done(true);
		next();
	})`, n))
}

// Knows waits until the engine has n examples.
func (s *Studio) Knows(examples int) {
	s.T.Helper()
	s.WaitFor(fmt.Sprintf(`studio.engine.then((e) => e.classes.flatMap((c) => c.examples).length === %d)`, examples))
}

// IsKept waits until the project is saved.
func (s *Studio) IsKept() {
	s.T.Helper()
	s.WaitFor(`document.querySelector("#kept.saved")?.innerText.includes("Saved")`)
}

// Quiet fails the test if the page logged an error or a warning, or sent a request to another
// origin.
func (s *Studio) Quiet(expected ...string) {
	s.T.Helper()
	s.NoProblems(expected...)
	s.NoWarnings()
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
