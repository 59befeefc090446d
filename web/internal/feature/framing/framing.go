// Package framing is the feature that lets the user choose the square of the camera's picture
// that the network sees. The project keeps it.
package framing

import (
	"encoding/json"

	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/web/internal/kernel"
)

// Framing changes the frame of a kernel's camera.
type Framing struct {
	k       *kernel.Kernel
	open    bool // the user is choosing the frame; under the kernel's lock
	gesture gesture
}

// New returns the framing of a kernel.
func New(k *kernel.Kernel) *Framing {
	f := &Framing{k: k}
	k.Project.Extend(f)
	k.Camera.Watch(func() {
		if f.isOpen() && k.Camera.State().Stage == kernel.CameraOff {
			f.setOpen(false)
		}
	})
	return f
}

func (f *Framing) isOpen() bool { return kernel.Get(&f.k.Framing.Part, &f.open) }

func (f *Framing) setOpen(open bool) { f.k.Framing.Update(func() { f.open = open }) }

// Keep implements [kernel.Extension].
func (f *Framing) Keep(extensions map[string]json.RawMessage) map[string]json.RawMessage {
	return f.k.Framing.State().Keep(extensions)
}

// Adopt implements [kernel.Extension].
func (f *Framing) Adopt(manifest *project.Manifest) { f.k.Framing.Set(manifest.Frame()) }

// Move drags the picture under the frame, to the right and down as displayed, in fractions of
// the frame's side.
func (f *Framing) Move(dx, dy float64, mirrored bool) {
	if mirrored {
		dx = -dx
	}
	f.change(func(frame *project.Frame) {
		frame.X -= dx / frame.Zoom
		frame.Y -= dy / frame.Zoom
	})
}

// Zoom magnifies the picture by a factor around a fixed point: its distances from the frame's
// center to the right and down as displayed, in fractions of the frame's side.
func (f *Framing) Zoom(factor, x, y float64, mirrored bool) {
	if mirrored {
		x = -x
	}
	f.change(func(frame *project.Frame) {
		zoom := project.Frame{Zoom: frame.Zoom * factor}.Complete().Zoom
		frame.X += x/frame.Zoom - x/zoom
		frame.Y += y/frame.Zoom - y/zoom
		frame.Zoom = zoom
	})
}

// SetZoom sets the magnification relative to the whole central square.
func (f *Framing) SetZoom(zoom float64) {
	f.change(func(frame *project.Frame) { frame.Zoom = zoom })
}

// Mirror shows the picture as in a mirror, or not.
func (f *Framing) Mirror(on bool) {
	f.change(func(frame *project.Frame) { frame.Mirror = &on })
}

// Reset returns to the central square, mirrored as the camera suggests.
func (f *Framing) Reset() {
	f.change(func(frame *project.Frame) { *frame = project.Frame{} })
}

func (f *Framing) change(change func(*project.Frame)) {
	f.k.Framing.Change(change)
	f.k.Project.Touch()
}
