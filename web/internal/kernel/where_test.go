package kernel

import (
	"testing"
	"time"
)

func TestWhereIsFoundForTheCamera(t *testing.T) {
	run(t, func(t *testing.T, s *Kernel, e *fakeEngine, c *fakeCamera, wait func()) {
		teach(s, e, wait)
		e.like = s.Classes.List()[0].Examples[0]
		s.Camera.Start("")
		wait()
		show(c)
		if s.Where.Match() != nil {
			t.Error("it is found though nobody wants to know")
		}
		s.Where.Show(true)
		before := len(e.told())
		for range 21 { // two seconds, ten frames in each
			show(c)
			rest(100 * time.Millisecond)
		}
		explained := 0
		for _, call := range e.told()[before:] {
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
		s.Classes.Remove(ids(s)[0])
		wait()
		if s.Where.Match() != nil {
			t.Error("there is evidence for a class that is gone")
		}
	})
}

func TestWhereIsFoundForAPicture(t *testing.T) {
	run(t, func(t *testing.T, s *Kernel, e *fakeEngine, _ *fakeCamera, wait func()) {
		teach(s, e, wait)
		e.like = s.Classes.List()[0].Examples[0]
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

// However long an explanation takes, it is asked for so rarely that it takes no more than
// its share of the time; but once a second at least.
func TestWhereCostsNoMoreThanItsShare(t *testing.T) {
	for _, c := range []struct{ plain, useful, want time.Duration }{
		{30 * time.Millisecond, 31 * time.Millisecond, whereInterval},
		{30 * time.Millisecond, 40 * time.Millisecond, 200 * time.Millisecond},
		{30 * time.Millisecond, 20 * time.Millisecond, whereInterval},
		{30 * time.Millisecond, time.Second, whereLongest},
	} {
		w := newKernel().Where
		w.Show(true)
		for range 20 {
			w.took(c.plain, false)
			w.took(c.useful, true)
		}
		if got := w.interval(); got != c.want {
			t.Errorf("answers of %v, of %v with an explanation: one every %v, want every %v", c.plain, c.useful, got, c.want)
		}
	}
}
