package kernel_test

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/deepemd/deepemd/core/answer"
	. "github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/kerneltest"
)

// explained runs a test on a session with a camera that is on and two classes of
// one example each.
func explained(t *testing.T, test func(t *testing.T, s *Kernel, e *kerneltest.Engine, c *kerneltest.Camera, wait func())) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, e *kerneltest.Engine, c *kerneltest.Camera, wait func()) {
		for _, id := range kerneltest.IDs(s) {
			s.AddFiles(id, []File{{id, id}})
		}
		wait()
		e.Answer = kerneltest.Says(0, answer.Score{ID: kerneltest.IDs(s)[0], Score: .7}, answer.Score{ID: kerneltest.IDs(s)[1], Score: .3})
		e.Like = s.Classes.List()[0].Examples[0]
		s.Camera.Start("")
		wait()
		test(t, s, e, c, wait)
	})
}

// asked counts the explanations that the engine was asked for.
func asked(e *kerneltest.Engine) int {
	n := 0
	for _, call := range e.Told() {
		if strings.HasPrefix(call, "explain ") {
			n++
		}
	}
	return n
}

func TestWhyIsAskedForTenTimesASecond(t *testing.T) {
	explained(t, func(t *testing.T, s *Kernel, e *kerneltest.Engine, c *kerneltest.Camera, wait func()) {
		second := func() int {
			before := asked(e)
			for range 40 {
				show(c)
				kerneltest.Rest(25 * time.Millisecond)
			}
			return asked(e) - before
		}
		if n := second(); n != 0 || s.Why.State().Match != nil {
			t.Errorf("%d explanations although none are shown", n)
		}
		s.Why.Show(true)
		if n := second(); n != 10 {
			t.Errorf("%d explanations a second, want 10", n)
		}
		m := s.Why.State().Match
		if m == nil || m.ClassID != kerneltest.IDs(s)[0] || m.Alike() != .4 || len(m.Answer.Scores) != 2 {
			t.Fatalf("match %+v", m)
		}
		s.Why.PointAt(&MatchPart{Node: 1})
		if n := second(); n != 0 || s.Why.State().Match != m {
			t.Errorf("%d explanations while one is pointed at", n)
		}
		if got := s.Why.State().Part; got == nil || got.Node != 1 {
			t.Errorf("points at %+v", got)
		}
		s.Why.PointAt(nil)
		if n := second(); n != 10 || s.Why.State().Match == m {
			t.Errorf("%d explanations after pointing ended, want 10 new ones", n)
		}
		s.Why.Show(false)
		if n := second(); n != 0 || s.Why.State().Match != nil {
			t.Errorf("%d explanations after they were hidden", n)
		}
	})
}

func TestWhyGoesWithWhatItIsAbout(t *testing.T) {
	for name, leave := range map[string]func(s *Kernel){
		"camera off":     func(s *Kernel) { s.Camera.Stop() },
		"engine crashed": func(s *Kernel) { s.EngineCrashed(kerneltest.Failure(CodeCrashed, "gone"), true) },
		"other picture":  func(s *Kernel) { s.ShowPicture(File{"b", "b"}) },
		"class removed":  func(s *Kernel) { s.Classes.Remove(kerneltest.IDs(s)[0]) },
	} {
		t.Run(name, func(t *testing.T) {
			explained(t, func(t *testing.T, s *Kernel, e *kerneltest.Engine, c *kerneltest.Camera, wait func()) {
				s.Why.Show(true)
				show(c)
				s.Why.PointAt(&MatchPart{Node: 1})
				if s.Why.State().Match == nil || s.Why.State().Part == nil {
					t.Fatal("no match")
				}
				e.Like = ""
				leave(s)
				wait()
				if got := s.Why.State(); got.Match != nil || got.Part != nil {
					t.Errorf("still shows %+v", got)
				}
			})
		})
	}
}

func TestWhyOfAnExampleThatHasGone(t *testing.T) {
	explained(t, func(t *testing.T, s *Kernel, e *kerneltest.Engine, c *kerneltest.Camera, wait func()) {
		s.Why.Show(true)
		e.Like = "example-99"
		show(c)
		if got := s.Why.State().Match; got != nil {
			t.Errorf("explained by an example that is not there: %+v", got)
		}
		if s.Live.State().Answer.Best() == "" {
			t.Error("no answer without its reason")
		}
	})
}

func TestWhyOfAPicture(t *testing.T) {
	explained(t, func(t *testing.T, s *Kernel, e *kerneltest.Engine, c *kerneltest.Camera, wait func()) {
		s.ShowPicture(File{"b", "b"})
		wait()
		if asked(e) != 0 {
			t.Error("explained although nobody sees it")
		}
		s.Why.Show(true)
		wait()
		if s.Why.State().Match == nil || asked(e) != 1 {
			t.Errorf("%d explanations after they were shown", asked(e))
		}
		s.AddFiles(kerneltest.IDs(s)[1], []File{{"c", "c"}})
		wait()
		if asked(e) != 2 {
			t.Errorf("%d explanations after another example", asked(e))
		}
	})
}

func TestLookCloser(t *testing.T) {
	explained(t, func(t *testing.T, s *Kernel, e *kerneltest.Engine, c *kerneltest.Camera, wait func()) {
		s.Why.OpenComparison()
		if s.Why.State().Comparison != nil {
			t.Fatal("looks closer at nothing")
		}
		s.Why.Show(true)
		show(c)
		s.Why.PointAt(&MatchPart{Node: 1})
		s.Why.OpenComparison()
		first := s.Why.State()
		if first.Comparison == nil || first.Part != nil || first.Comparison.Match != first.Match || first.Comparison.Pair != (Pair{1, 1}) {
			t.Fatalf("%+v, want the strongest pair of the match", first.Comparison)
		}
		kerneltest.Rest(time.Second)
		if before := asked(e); !show(c) || asked(e) != before {
			t.Error("frames are explained behind what is looked at")
		}
		s.Why.PickPair(Pair{0, 0})
		other := kerneltest.IDs(s)[1]
		s.Why.CompareWith(other)
		if got := s.Why.State().Comparison; got.ClassID != other || got.Match != first.Match {
			t.Errorf("%+v before the other class is known", got)
		}
		wait()
		got := s.Why.State().Comparison
		if got.ClassID != other || got.Match.ClassID != other || got.Pair != (Pair{1, 1}) {
			t.Errorf("%+v, want the other class", got)
		}
		if told := e.Told(); !slices.Contains(told, "explain seen "+other) {
			t.Errorf("told %q, want to explain what was seen", told)
		}
		n := asked(e)
		s.Why.CompareWith(other)
		if asked(e) != n {
			t.Error("asked again about the class that is shown")
		}
		s.Why.CloseComparison()
		if s.Why.State().Comparison != nil {
			t.Error("still looking")
		}
	})
}

func TestCompareWithWhenTheEngineFails(t *testing.T) {
	explained(t, func(t *testing.T, s *Kernel, e *kerneltest.Engine, c *kerneltest.Camera, wait func()) {
		s.Why.Show(true)
		show(c)
		s.Why.OpenComparison()
		e.Mu.Lock()
		e.Fail = func(call string) error { return kerneltest.Failure("internal", "no") }
		e.Mu.Unlock()
		s.Why.CompareWith(kerneltest.IDs(s)[1])
		wait()
		if got := s.Why.State().Comparison; got.ClassID != kerneltest.IDs(s)[0] {
			t.Errorf("%+v, want what was shown before", got)
		}
		if !slices.Contains(kerneltest.Keys(s), "engine") {
			t.Errorf("notices %q, want one about the engine", kerneltest.Keys(s))
		}
		e.Mu.Lock()
		e.Fail = nil
		e.Working = make(chan struct{})
		e.Mu.Unlock()
		s.Camera.Stop()
		s.Why.CompareWith(kerneltest.IDs(s)[1])
		s.Why.CloseComparison()
		close(e.Working)
		synctest.Wait()
		if s.Why.State().Comparison != nil {
			t.Error("an answer that came too late opened it again")
		}
	})
}
