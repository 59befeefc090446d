package kernel_test

import (
	"testing"
	"time"

	. "github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/kerneltest"
)

func TestWhereIsFoundForTheCamera(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, e *kerneltest.Engine, c *kerneltest.Camera, wait func()) {
		teach(s, e, wait)
		e.Like = s.Classes.List()[0].Examples[0]
		s.Camera.Start("")
		wait()
		show(c)
		if s.Where.Match() != nil {
			t.Error("it is found though nobody wants to know")
		}
		s.Where.Show(true)
		before := len(e.Told())
		for range 21 { // two seconds, ten frames in each
			show(c)
			kerneltest.Rest(100 * time.Millisecond)
		}
		explained := 0
		for _, call := range e.Told()[before:] {
			if call == "explain frame " {
				explained++
			}
		}
		if match := s.Where.Match(); match == nil || explained != 21 {
			t.Errorf("match %v after %d explanations of 21 frames, 100 ms apart", match, explained)
		}
		if s.Why.State().Match != nil {
			t.Error("the panel that says why is hidden, and has a match")
		}
		s.Classes.Remove(kerneltest.IDs(s)[0])
		wait()
		if s.Where.Match() != nil {
			t.Error("there is evidence for a class that is gone")
		}
	})
}

func TestWhereIsFoundForAPicture(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, e *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		teach(s, e, wait)
		e.Like = s.Classes.List()[0].Examples[0]
		s.ShowPicture(File{"b.jpg", "b"})
		wait()
		s.Where.Show(true)
		wait()
		if s.Where.Match() == nil {
			t.Error("nothing is found for the picture that is shown")
		}
		s.Where.Show(false)
		if s.Where.Match() != nil {
			t.Error("it is shown after it was hidden")
		}
	})
}
