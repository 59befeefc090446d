package framing

import (
	"math"
	"testing"

	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/kerneltest"
)

// near reports whether two frames are equal up to rounding errors.
func near(a, b project.Frame) bool {
	const little = 1e-9
	return math.Abs(a.Zoom-b.Zoom) < little && math.Abs(a.X-b.X) < little && math.Abs(a.Y-b.Y) < little
}

func TestFrameFollowsTheFinger(t *testing.T) {
	for name, c := range map[string]struct {
		shape kernel.Shape
		do    func(f *Framing)
		want  project.Frame
	}{
		"nothing":                  {kernel.Shape{Width: 640, Height: 480}, func(*Framing) {}, project.Frame{Zoom: 1}},
		"no room above":            {kernel.Shape{Width: 640, Height: 480}, func(f *Framing) { f.Move(0, .5, false) }, project.Frame{Zoom: 1}},
		"room beside":              {kernel.Shape{Width: 640, Height: 480}, func(f *Framing) { f.Move(-.1, 0, false) }, project.Frame{Zoom: 1, X: .1}},
		"up to the edge":           {kernel.Shape{Width: 640, Height: 480}, func(f *Framing) { f.Move(-9, 0, false) }, project.Frame{Zoom: 1, X: 1. / 6}},
		"upright picture":          {kernel.Shape{Width: 480, Height: 640}, func(f *Framing) { f.Move(9, 9, false) }, project.Frame{Zoom: 1, Y: -1. / 6}},
		"mirrored":                 {kernel.Shape{Width: 640, Height: 480}, func(f *Framing) { f.Move(-.1, 0, true) }, project.Frame{Zoom: 1, X: -.1}},
		"about the middle":         {kernel.Shape{Width: 640, Height: 480}, func(f *Framing) { f.Zoom(2, 0, 0, false) }, project.Frame{Zoom: 2}},
		"about a corner":           {kernel.Shape{Width: 640, Height: 480}, func(f *Framing) { f.Zoom(2, .5, -.5, false) }, project.Frame{Zoom: 2, X: .25, Y: -.25}},
		"about a corner again":     {kernel.Shape{Width: 640, Height: 480}, func(f *Framing) { f.SetZoom(2); f.Zoom(2, .4, -.4, false) }, project.Frame{Zoom: 4, X: .1, Y: -.1}},
		"about a mirrored corner":  {kernel.Shape{Width: 640, Height: 480}, func(f *Framing) { f.Zoom(2, .5, .5, true) }, project.Frame{Zoom: 2, X: -.25, Y: .25}},
		"there and back":           {kernel.Shape{Width: 640, Height: 480}, func(f *Framing) { f.Zoom(3, .2, .1, false); f.Zoom(1./3, .2, .1, false) }, project.Frame{Zoom: 1}},
		"never further than":       {kernel.Shape{Width: 640, Height: 480}, func(f *Framing) { f.Zoom(100, 0, 0, false) }, project.Frame{Zoom: project.MaxZoom}},
		"never out of the picture": {kernel.Shape{Width: 640, Height: 480}, func(f *Framing) { f.Zoom(2, .5, .5, false); f.SetZoom(1) }, project.Frame{Zoom: 1, X: 1. / 6}},
		"a move under zoom":        {kernel.Shape{Width: 640, Height: 480}, func(f *Framing) { f.SetZoom(2); f.Move(-.2, .2, false) }, project.Frame{Zoom: 2, X: .1, Y: -.1}},
		"reset":                    {kernel.Shape{Width: 640, Height: 480}, func(f *Framing) { f.Zoom(2, .5, .5, false); f.Mirror(true); f.Reset() }, project.Frame{Zoom: 1}},
	} {
		f := New(kerneltest.New())
		f.k.Framing.SetShape(c.shape)
		c.do(f)
		if got := f.k.Framing.State(); !near(got, c.want) || got.Mirror != nil {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

func TestMirrorIsThePersonsChoiceOrTheCameras(t *testing.T) {
	f := New(kerneltest.New())
	front, away := kernel.Device{Facing: kernel.FacingPerson}, kernel.Device{}
	if !f.k.Framing.Mirrored(front) || f.k.Framing.Mirrored(away) {
		t.Error("untouched, the frame does not follow the camera")
	}
	f.Mirror(false)
	if f.k.Framing.Mirrored(front) {
		t.Error("still mirrored")
	}
	f.Mirror(true)
	if !f.k.Framing.Mirrored(away) {
		t.Error("not mirrored")
	}
}

// The frame closes with the camera.
func TestFrameClosesWithTheCamera(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *kernel.Kernel, _ *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		f := New(s)
		s.Camera.Start("")
		wait()
		f.setOpen(true)
		s.Camera.Start("back")
		wait()
		if !f.isOpen() {
			t.Error("another camera closes the frame")
		}
		s.Camera.Stop()
		if f.isOpen() {
			t.Error("the frame is open without a camera")
		}
	})
}

func TestFrameIsKeptWithTheProject(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *kernel.Kernel, _ *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		f, store := New(s), kerneltest.NewStore()
		s.Project.StoreReady(store)
		wait()
		first := s.Project.State().ID
		s.Framing.SetShape(kernel.Shape{Width: 640, Height: 480})
		f.Zoom(2, .5, .5, false)
		f.Mirror(true)
		kerneltest.Rest(kernel.SaveInterval)
		doc := store.Kept[first]
		if got := doc.Frame(); !near(got, project.Frame{Zoom: 2, X: .25, Y: .25}) || got.Mirror == nil || !*got.Mirror {
			t.Errorf("kept %s", doc.Extensions)
		}

		s.Project.New()
		wait()
		if got := s.Framing.State(); !got.IsCentral() {
			t.Errorf("a new project has the frame %+v", got)
		}
		s.Project.Open(first)
		wait()
		if got := s.Framing.State(); !near(got, project.Frame{Zoom: 2, X: .25, Y: .25}) {
			t.Errorf("the project came back with the frame %+v", got)
		}
	})
}
