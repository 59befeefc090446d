package kernel

import (
	"encoding/json"

	"github.com/deepemd/deepemd/core/project"
)

// Framing is the square of the camera's picture that the network sees, and how it is
// shown. It belongs to the project that is open.
type Framing struct {
	Part
	frame project.Frame
	shape Shape
}

// Shape is the size of a camera's picture, in pixels or any other unit.
type Shape struct{ Width, Height float64 }

// State returns the frame.
func (f *Framing) State() project.Frame {
	f.Lock()
	defer f.Unlock()
	return f.frame.Complete()
}

// Mirrored reports whether what a camera shows is shown as in a mirror.
func (f *Framing) Mirrored(d Device) bool {
	if mirror := f.State().Mirror; mirror != nil {
		return *mirror
	}
	return d.Mirrored
}

// SetShape says what the camera's picture measures, which bounds where the frame can go.
func (f *Framing) SetShape(s Shape) {
	f.Lock()
	defer f.Unlock()
	f.shape = s
}

// Move drags the picture under the frame, by shares of the frame's side to the right and
// down, as it is shown: mirrored or not.
func (f *Framing) Move(dx, dy float64, mirrored bool) {
	if mirrored {
		dx = -dx
	}
	f.change(func(frame *project.Frame) {
		frame.X -= dx / frame.Zoom
		frame.Y -= dy / frame.Zoom
	})
}

// Zoom shows things so many times as large, and holds still what is shown at a place:
// shares of the frame's side to the right of its middle and down, as it is shown.
func (f *Framing) Zoom(times, x, y float64, mirrored bool) {
	if mirrored {
		x = -x
	}
	f.change(func(frame *project.Frame) {
		zoom := project.Frame{Zoom: frame.Zoom * times}.Complete().Zoom
		frame.X += x/frame.Zoom - x/zoom
		frame.Y += y/frame.Zoom - y/zoom
		frame.Zoom = zoom
	})
}

// SetZoom shows things so many times as large as the whole central square does, about the
// frame's middle.
func (f *Framing) SetZoom(zoom float64) {
	f.change(func(frame *project.Frame) { frame.Zoom = zoom })
}

// Mirror has the picture shown as in a mirror, or not.
func (f *Framing) Mirror(on bool) {
	f.change(func(frame *project.Frame) { frame.Mirror = &on })
}

// Reset goes back to the central square, shown as the camera wants.
func (f *Framing) Reset() {
	f.change(func(frame *project.Frame) { *frame = project.Frame{} })
}

// change changes the frame, which stays inside the picture.
func (f *Framing) change(change func(*project.Frame)) {
	f.Update(func() {
		frame := f.frame.Complete()
		change(&frame)
		f.frame = f.shape.hold(frame.Complete())
	})
	f.K.Project.Touch()
}

// Keep implements [Extension].
func (f *Framing) Keep(extensions map[string]json.RawMessage) map[string]json.RawMessage {
	return f.State().Keep(extensions)
}

// Adopt implements [Extension].
func (f *Framing) Adopt(manifest *project.Manifest) {
	frame := manifest.Frame()
	f.Update(func() { f.frame = frame })
}

// hold returns a frame that lies inside the picture; one of an unknown shape may lie
// anywhere.
func (s Shape) hold(frame project.Frame) project.Frame {
	short := min(s.Width, s.Height)
	if short <= 0 {
		return frame
	}
	half := .5 / frame.Zoom
	within := func(v, side float64) float64 {
		free := max(0, side/short/2-half)
		return min(max(v, -free), free)
	}
	frame.X, frame.Y = within(frame.X, s.Width), within(frame.Y, s.Height)
	return frame
}
