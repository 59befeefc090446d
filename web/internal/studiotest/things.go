//go:build !js

package studiotest

import (
	_ "embed"
	"encoding/base64"
	"fmt"
	"image/color"
	"testing"
	"time"

	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/core/network"
	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/internal/require"
)

// Spy is a script for Open that records the messages between the page and its engine.
//
//go:embed spy.js
var Spy string

// Thing is a class in front of the camera.
type Thing struct {
	Wordnet, Name string
	Teach, Test   color.RGBA // bands of the segments
}

// Things are classes of Tiny ImageNet's test split, which the network was not trained on, with
// everyday names.
var Things = []Thing{
	{"n04398044", "Teapot", color.RGBA{255, 0, 0, 255}, color.RGBA{0, 255, 255, 255}},
	{"n01882714", "Koala", color.RGBA{0, 255, 0, 255}, color.RGBA{255, 0, 255, 255}},
	{"n04487081", "Trolleybus", color.RGBA{0, 0, 255, 255}, color.RGBA{255, 255, 0, 255}},
}

const (
	Shots     = 5    // examples of each thing
	Pictures  = 15   // of a thing in each of its two segments
	Tolerance = 1e-3 // between the page and native code
)

// FilmOfThings writes a film: one segment per thing for teaching, then one per thing with other
// images for testing.
func FilmOfThings(t *testing.T) string {
	t.Helper()
	var segments []Segment
	for _, thing := range Things {
		segments = append(segments, Segment{thing.Teach, TinyImageNet(t, thing.Wordnet, 0, Pictures)})
	}
	for _, thing := range Things {
		segments = append(segments, Segment{thing.Test, TinyImageNet(t, thing.Wordnet, Pictures, 2*Pictures)})
	}
	return Film(t, segments)
}

// WaitForSegment waits for the beginning of a segment.
func (s *Studio) WaitForSegment(band color.RGBA) {
	s.T.Helper()
	s.WaitFor("!" + Shows(band))
	s.WaitFor(Shows(band))
}

// TeachThing holds the button of a class until it has [Shots] examples or more. A slow device
// takes them in several segments: each hold ends well before its segment.
func (s *Studio) TeachThing(class int, thing Thing) {
	s.T.Helper()
	const half = Pictures * pictureFrames * time.Second / 30 / 2
	thumbnails := Card(class) + " .thumbnail"
	sent := browsertest.Eval[int](s.Browser, "spy.sent.length")
	for s.Count(thumbnails) < Shots {
		s.WaitForSegment(thing.Teach)
		begun := time.Now()
		release := s.Press(Card(class) + " .capture")
		for s.Count(thumbnails) < Shots && time.Since(begun) < half {
			time.Sleep(20 * time.Millisecond)
		}
		release()
		s.WaitFor(`!document.querySelector(".card.held") && spy.sent.every((r) => r.reply)`)
		s.WaitFor(fmt.Sprintf("document.querySelectorAll(%q).length === spy.sent.length - %d", thumbnails, sent))
	}
}

// Shows returns the JavaScript condition that the camera shows the segment with a band.
func Shows(band color.RGBA) string {
	return fmt.Sprintf(`(([r, g, b]) => Math.abs(r - %d) + Math.abs(g - %d) + Math.abs(b - %d) < 150)(spy.band())`, band.R, band.G, band.B)
}

// Native is a native learner with the default network and method, the reference for the page.
type Native struct {
	*learner.Learner
	T *testing.T
}

// NewNative loads the default network.
func NewNative(t *testing.T) *Native {
	t.Helper()
	return &Native{require.Value(learner.Open(network.ResNet12PhotoWeights()))(t), t}
}

// Picture converts pixels of the page, RGB or RGBA depending on their number.
func (n *Native) Picture(width, height int, pixels []byte) *imaging.Image {
	n.T.Helper()
	image := &imaging.Image{Width: width, Height: height, Pix: pixels}
	if len(pixels) == 4*width*height {
		image.Pix = make([]byte, 3*width*height)
		imaging.FlattenRGBA(image.Pix, pixels)
	}
	return image
}

// Seen fetches a frame as the network saw it.
func (s *Studio) Seen(n *Native, index int) *imaging.Image {
	s.T.Helper()
	side := n.Preprocess().Size
	return n.Picture(side, side, s.Bytes(fmt.Sprintf("spy.sent[%d].reply.pixels.data", index)))
}

// Bytes fetches the bytes of a JavaScript expression.
func (s *Studio) Bytes(expression string) []byte {
	s.T.Helper()
	return require.Value(base64.StdEncoding.DecodeString(browsertest.Eval[string](s.Browser, "spy.base64("+expression+")")))(s.T)
}
