package kernel

import "github.com/deepemd/deepemd/core/project"

// Framing is the square of the camera's picture that the network sees, and whether it is shown
// as in a mirror.
type Framing struct {
	Part
	frame project.Frame
	shape Shape
}

// Shape is the size of a camera's picture, in pixels or any other unit.
type Shape struct{ Width, Height float64 }

// State returns the frame.
func (f *Framing) State() project.Frame { return Get(&f.Part, &f.frame).Complete() }

// Mirrored reports whether the picture of a camera is shown as in a mirror, which a user expects whom it
// faces.
func (f *Framing) Mirrored(d Device) bool {
	if mirror := f.State().Mirror; mirror != nil {
		return *mirror
	}
	return d.Facing == FacingPerson
}

// SetShape sets the size of the camera's picture, which bounds the frame.
func (f *Framing) SetShape(s Shape) {
	f.Lock()
	defer f.Unlock()
	f.shape = s
}

// Set replaces the frame.
func (f *Framing) Set(frame project.Frame) { f.Update(func() { f.frame = frame }) }

// Change changes the frame, which stays inside the picture.
func (f *Framing) Change(change func(*project.Frame)) {
	f.Update(func() {
		frame := f.frame.Complete()
		change(&frame)
		f.frame = f.shape.clamp(frame.Complete())
	})
}

// clamp moves a frame inside the picture. An unknown shape does not bound it.
func (s Shape) clamp(frame project.Frame) project.Frame {
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
