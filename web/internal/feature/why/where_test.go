package why

import (
	"testing"
	"time"

	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/kerneltest"
)

func TestWhereIsFoundForTheCamera(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *kernel.Kernel, e *kerneltest.Engine, c *kerneltest.Camera, wait func()) {
		w := New(s)
		kerneltest.Teach(s, e, wait)
		e.Like = s.Classes.List()[0].Examples[0]
		s.Camera.Start("")
		wait()
		c.Show()
		if w.Where.Match() != nil {
			t.Error("it is found though nobody wants to know")
		}
		w.Where.Show(true)
		before := len(e.Calls())
		for range 21 {
			c.Show()
			kerneltest.Rest(100 * time.Millisecond)
		}
		explained := 0
		for _, call := range e.Calls()[before:] {
			if call == "explain frame " {
				explained++
			}
		}
		if match := w.Where.Match(); match == nil || explained != 21 {
			t.Errorf("match %v after %d explanations of 21 frames, 100 ms apart", match, explained)
		}
		if w.State().Match != nil {
			t.Error("the panel that says why is hidden, and has a match")
		}
		before = asked(e)
		e.Like = ""
		for range 40 {
			c.Show()
			kerneltest.Rest(25 * time.Millisecond)
		}
		if n := asked(e) - before; n != 10 {
			t.Errorf("%d explanations a second without a match, want 10", n)
		}
		s.Classes.Remove(kerneltest.IDs(s)[0])
		wait()
		if w.Where.Match() != nil {
			t.Error("there is evidence for a class that is gone")
		}
	})
}

func TestWhereIsFoundForAPicture(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *kernel.Kernel, e *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		w := New(s)
		kerneltest.Teach(s, e, wait)
		e.Like = s.Classes.List()[0].Examples[0]
		s.ShowPictures(kernel.File{Name: "b.jpg", Source: "b"})
		wait()
		w.Where.Show(true)
		wait()
		if w.Where.Match() == nil {
			t.Error("nothing is found for the picture that is shown")
		}
		w.Where.Show(false)
		if w.Where.Match() != nil {
			t.Error("it is shown after it was hidden")
		}
	})
}
