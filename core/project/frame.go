package project

import (
	"encoding/json"
	"math"
)

// ExtensionFrame is the extension in which a project keeps its Frame.
const ExtensionFrame = "frame"

// MaxZoom bounds how far a frame zooms in: a camera's 480 rows give 96 then, still more
// than the network's input has.
const MaxZoom = 5

// Frame is the square of a camera's picture that the network sees, and how a page shows
// it. The zero Frame is the central square.
//
// Lengths are shares of the picture's shorter side, so that a frame fits pictures of every
// size and shape: of a picture of width w and height h, with s the smaller of the two, the
// square has the side s/Zoom and its middle at (w/2 + X·s, h/2 + Y·s). A reader moves a
// square that leaves the picture back into it, by the shortest way.
type Frame struct {
	// Zoom is how much larger the square shows things than the whole shorter side would,
	// 1 to MaxZoom; 0 stands for 1.
	Zoom float64 `json:"zoom,omitempty"`
	// X and Y say where the square's middle lies, from the picture's middle to the right
	// and down.
	X float64 `json:"x,omitempty"`
	Y float64 `json:"y,omitempty"`
	// Mirror says whether the page shows the picture as a mirror does; nil leaves it to
	// where the camera looks. The network sees the picture unmirrored either way, as it
	// does pictures from files.
	Mirror *bool `json:"mirror,omitempty"`
}

// Complete returns the frame with its lengths within bounds and Zoom said.
func (f Frame) Complete() Frame {
	within := func(v, least, most float64) float64 {
		if math.IsNaN(v) {
			v = 0
		}
		return min(max(v, least), most)
	}
	f.Zoom = within(f.Zoom, 1, MaxZoom)
	const far = 10 // a picture ten times as wide as high
	f.X, f.Y = within(f.X, -far, far), within(f.Y, -far, far)
	return f
}

// IsCentral reports whether the frame is the central square, shown as the camera wants.
func (f Frame) IsCentral() bool {
	return f.Mirror == nil && f.Complete() == Frame{Zoom: 1}
}

// Frame returns the frame that the project's cameras have. A project that says nothing of
// it, or nothing that can be read, has the zero Frame.
func (m *Manifest) Frame() Frame {
	var f Frame
	if json.Unmarshal(m.Extensions[ExtensionFrame], &f) != nil {
		return Frame{}
	}
	return f.Complete()
}

// Keep returns extensions with the frame among them, and does not change the given ones.
// The central square is not kept.
func (f Frame) Keep(extensions map[string]json.RawMessage) map[string]json.RawMessage {
	kept, err := keep(extensions, ExtensionFrame, f.Complete(), !f.IsCentral())
	if err != nil {
		panic(err) // numbers within bounds can be written
	}
	return kept
}
