//go:build !js

package teach_test

import (
	_ "embed"
	"fmt"
	"image/color"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/deepemd/deepemd/core/fewshot"
	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/web/internal/studiotest"
)

// examples are different numbers of examples per class.
var examples = []int{5, 2, 4}

const (
	framesChecked = 5 // of each segment
	framesApart   = 5 // distance between checked frames, to include several images
)

// The main path: start the camera, name three classes, hold each button while the camera shows the
// class, and read the answer. The page must agree with native code about the same pixels, and send
// no request to another origin.
func TestTeachThreeClassesAndClassifyLive(t *testing.T) {
	s := open(t, browsertest.Options{Camera: studiotest.FilmOfThings(t), Timeout: 4 * time.Minute}, studiotest.Spy)
	s.StartCamera()
	for i, thing := range studiotest.Things {
		if i >= 2 {
			s.Click("#add-class")
			s.WaitCount(".cards .card", i+1)
		}
		s.Name(i+1, thing.Name)
	}
	for i, thing := range studiotest.Things {
		s.TeachThing(i+1, thing)
		s.keepOnly(i+1, examples[i])
	}
	s.Knows(examples[0] + examples[1] + examples[2])

	n := &native{Native: studiotest.NewNative(t)}
	for i, thing := range studiotest.Things {
		n.teach(thing.Name, s.checkExamples(n, i+1, thing.Teach)...)
	}

	s.Eval("spy.copying = true")
	right, frames := 0, 0
	for i, thing := range studiotest.Things {
		s.WaitForSegment(thing.Test)
		s.Eval("spy.sent = []")
		s.WaitFor(fmt.Sprintf("spy.sent.filter((r) => r.reply).length >= %d", framesChecked*framesApart))
		s.Eval("spy.copying = false")
		for f := range framesChecked {
			if best := s.checkFrame(n, f*framesApart); best == i {
				right++
			}
			frames++
		}
		s.Eval("spy.copying = true")
	}
	s.Eval("spy.sent = []; spy.copying = false")
	t.Logf("%d of %d frames recognized; probabilities within %.1e of native code's", right, frames, n.worst)

	s.checkBars()
	if most := browsertest.Eval[int](s.Browser, "spy.most"); most != 1 {
		t.Errorf("%d frames were under way at once, want never more than 1", most)
	}
	s.Click("#start")
	s.WaitFor(`document.querySelector("video.hidden") && !document.querySelector("video").srcObject`)
	s.Quiet()
}

// keepOnly removes the last examples of a class with their buttons.
func (s *studio) keepOnly(class, n int) {
	s.T.Helper()
	for {
		got := s.Count(studiotest.Card(class) + " .thumbnail")
		if got == n {
			return
		}
		s.Eval(fmt.Sprintf("document.querySelector(%q).click()", fmt.Sprintf("%s .thumbnail:nth-child(%d) button", studiotest.Card(class), got)))
		s.WaitCount(studiotest.Card(class)+" .thumbnail", got-1)
	}
}

// checkExamples returns the network's inputs of a class's examples, and fails the test unless they
// come from the right segment and equal the thumbnails.
func (s *studio) checkExamples(n *native, class int, band color.RGBA) []*imaging.Image {
	s.T.Helper()
	var seenOf []*imaging.Image
	for i := range examples[class-1] {
		thumbnail := fmt.Sprintf("%s .thumbnail:nth-child(%d)", studiotest.Card(class), i+1)
		index := browsertest.Eval[int](s.Browser, fmt.Sprintf(
			`spy.sent.findIndex((r) => r.exampleId === document.querySelector(%q).dataset.example)`, thumbnail))
		frame, seen := s.frame(n, index), s.Seen(n.Native, index)
		if got := frame.Pix[:3]; distance(got, band) > 150 {
			s.T.Errorf("example %d of class %d comes from a segment with the band %v, want %v", i+1, class, got, band)
		}
		s.WaitFor(fmt.Sprintf(`document.querySelector(%q).querySelector("img").naturalWidth > 0`, thumbnail))
		shown := n.Picture(seen.Width, seen.Height, s.Bytes(fmt.Sprintf(`(() => {
			const image = document.querySelector(%q).querySelector("img"), { naturalWidth: w, naturalHeight: h } = image;
			const context = new OffscreenCanvas(w, h).getContext("2d");
			context.drawImage(image, 0, 0);
			return context.getImageData(0, 0, w, h).data;
		})()`, thumbnail)))
		if !slices.Equal(shown.Pix, seen.Pix) {
			s.T.Errorf("the thumbnail of example %d of class %d does not show what the network saw", i+1, class)
		}
		s.checkSquare(n, frame, seen)
		seenOf = append(seenOf, seen)
	}
	return seenOf
}

// checkSquare fails the test unless the network's input is the central square of the frame, up to
// the browser's scaling.
func (s *studio) checkSquare(n *native, frame, seen *imaging.Image) {
	s.T.Helper()
	want := n.Preprocess().Pixels(frame)
	var sum float64
	for i, v := range want.Pix {
		sum += math.Abs(float64(v) - float64(seen.Pix[i]))
	}
	if mean := sum / float64(len(want.Pix)); mean > 2 {
		s.T.Errorf("the network saw something %.1f gray levels away from the frame's central square", mean)
	}
}

// checkFrame fails the test unless the page's answer for a frame equals the native one for the same
// pixels, and returns the most probable class.
func (s *studio) checkFrame(n *native, index int) int {
	s.T.Helper()
	seen := s.Seen(n.Native, index)
	s.checkSquare(n, s.frame(n, index), seen)
	want, familiar := n.answer(seen)
	got := browsertest.Eval[[]float64](s.Browser, fmt.Sprintf(`(() => {
		const ids = Array.from(document.querySelectorAll(".cards .card"), (c) => c.dataset.class);
		return ids.map((id) => spy.sent[%d].reply.scores.find((s) => s.id === id).score);
	})()`, index))
	unknown := browsertest.Eval[bool](s.Browser, fmt.Sprintf("spy.sent[%d].reply.unknown.unknown", index))
	if unknown != familiar.Unknown && math.Abs(familiar.Score-familiar.Threshold) > studiotest.Tolerance {
		s.T.Errorf("frame %d: the page says unknown: %v, native code %+v", index, unknown, familiar)
	}
	if fewshot.Best(got) != fewshot.Best(want) {
		s.T.Errorf("frame %d: the page says class %d %v, native code class %d %v", index, fewshot.Best(got), got, fewshot.Best(want), want)
	}
	for i := range want {
		d := math.Abs(got[i] - want[i])
		if d > studiotest.Tolerance {
			s.T.Errorf("frame %d, class %d: the page says %v, native code %v", index, i, got[i], want[i])
		}
		n.worst = max(n.worst, d)
	}
	return fewshot.Best(want)
}

// checkBars fails the test unless the bars show an answer in the end.
func (s *studio) checkBars() {
	s.T.Helper()
	s.WaitFor(`(() => {
		const bars = Array.from(document.querySelectorAll(".bar"));
		return bars.length === 3 && bars.every((bar) => {
			const score = spy.last.find((s) => s.id === bar.dataset.class).score;
			return Math.abs(bar.querySelector(".fill").ariaValueNow - score) <= 1e-4;
		}) && document.querySelectorAll(".bar.best").length === 1 &&
			Math.abs([...document.querySelectorAll(".bars .fill")].reduce((sum, f) => sum + Number(f.ariaValueNow), 0) - 1) <= 4e-4;
	})()`)
}

// frame fetches a frame that the page has sent to its engine.
func (s *studio) frame(n *native, index int) *imaging.Image {
	s.T.Helper()
	size := browsertest.Eval[[]int](s.Browser, fmt.Sprintf("[spy.sent[%d].frame.width, spy.sent[%d].frame.height]", index, index))
	return n.Picture(size[0], size[1], s.Bytes(fmt.Sprintf("spy.sent[%d].frame.data", index)))
}

// distance returns the distance of two colors.
func distance(rgb []byte, c color.RGBA) int {
	d := 0
	for i, v := range []uint8{c.R, c.G, c.B} {
		d += max(int(rgb[i]), int(v)) - min(int(rgb[i]), int(v))
	}
	return d
}
