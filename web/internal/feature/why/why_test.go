package why

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/kerneltest"
	"github.com/deepemd/deepemd/web/internal/texts"
)

// explained runs a test with a camera and two classes of one example each.
func explained(t *testing.T, test func(t *testing.T, s *kernel.Kernel, w *Why, e *kerneltest.Engine, c *kerneltest.Camera, wait func())) {
	kerneltest.Run(t, func(t *testing.T, s *kernel.Kernel, e *kerneltest.Engine, c *kerneltest.Camera, wait func()) {
		w := New(s)
		for _, id := range kerneltest.IDs(s) {
			s.AddFiles(id, []kernel.File{{Name: id, Source: id}})
		}
		wait()
		e.Answer = kerneltest.Says(0, answer.Score{ID: kerneltest.IDs(s)[0], Score: .7}, answer.Score{ID: kerneltest.IDs(s)[1], Score: .3})
		e.Like = s.Classes.List()[0].Examples[0]
		s.Camera.Start("")
		wait()
		test(t, s, w, e, c, wait)
	})
}

// asked returns the number of requested explanations.
func asked(e *kerneltest.Engine) int {
	n := 0
	for _, call := range e.Calls() {
		if strings.HasPrefix(call, "explain ") {
			n++
		}
	}
	return n
}

func TestWhyIsAskedForTenTimesASecond(t *testing.T) {
	explained(t, func(t *testing.T, s *kernel.Kernel, w *Why, e *kerneltest.Engine, c *kerneltest.Camera, wait func()) {
		second := func() int {
			before := asked(e)
			for range 40 {
				c.Show()
				kerneltest.Rest(25 * time.Millisecond)
			}
			return asked(e) - before
		}
		if n := second(); n != 0 || w.State().Match != nil {
			t.Errorf("%d explanations although none are shown", n)
		}
		w.Show(true)
		if n := second(); n != 10 {
			t.Errorf("%d explanations a second, want 10", n)
		}
		m := w.State().Match
		if m == nil || m.ClassID != kerneltest.IDs(s)[0] || m.Alike() != .4 || len(m.Answer.Scores) != 2 {
			t.Fatalf("match %+v", m)
		}
		w.PointAt(&Part{Node: 1})
		if n := second(); n != 0 || w.State().Match != m {
			t.Errorf("%d explanations while one is pointed at", n)
		}
		if got := w.State().Part; got == nil || got.Node != 1 {
			t.Errorf("points at %+v", got)
		}
		w.PointAt(nil)
		if n := second(); n != 10 || w.State().Match == m {
			t.Errorf("%d explanations after pointing ended, want 10 new ones", n)
		}
		w.Show(false)
		if n := second(); n != 0 || w.State().Match != nil {
			t.Errorf("%d explanations after they were hidden", n)
		}
	})
}

func TestWhyGoesWithWhatItIsAbout(t *testing.T) {
	for name, leave := range map[string]func(s *kernel.Kernel){
		"camera off":     func(s *kernel.Kernel) { s.Camera.Stop() },
		"engine crashed": func(s *kernel.Kernel) { s.EngineCrashed(kerneltest.Failure(kernel.CodeCrashed, "gone"), true) },
		"other picture":  func(s *kernel.Kernel) { s.ShowPictures(kernel.File{Name: "b", Source: "b"}) },
		"class removed":  func(s *kernel.Kernel) { s.Classes.Remove(kerneltest.IDs(s)[0]) },
	} {
		t.Run(name, func(t *testing.T) {
			explained(t, func(t *testing.T, s *kernel.Kernel, w *Why, e *kerneltest.Engine, c *kerneltest.Camera, wait func()) {
				w.Show(true)
				w.Where.Show(true)
				c.Show()
				w.PointAt(&Part{Node: 1})
				if w.State().Match == nil || w.State().Part == nil || w.Where.Match() == nil {
					t.Fatal("no match")
				}
				e.Like = ""
				leave(s)
				wait()
				if got := w.State(); got.Match != nil || got.Part != nil || w.Where.Match() != nil {
					t.Errorf("still shows %+v and %+v", got, w.Where.Match())
				}
			})
		})
	}
}

func TestWhyOfAnExampleThatHasGone(t *testing.T) {
	explained(t, func(t *testing.T, s *kernel.Kernel, w *Why, e *kerneltest.Engine, c *kerneltest.Camera, wait func()) {
		w.Show(true)
		e.Like = "example-99"
		c.Show()
		if got := w.State().Match; got != nil {
			t.Errorf("explained by an example that is not there: %+v", got)
		}
		if s.Live.State().Answer.Best() == "" {
			t.Error("no answer without its reason")
		}
	})
}

func TestWhyOfAPicture(t *testing.T) {
	explained(t, func(t *testing.T, s *kernel.Kernel, w *Why, e *kerneltest.Engine, c *kerneltest.Camera, wait func()) {
		s.ShowPictures(kernel.File{Name: "b", Source: "b"})
		wait()
		if asked(e) != 0 {
			t.Error("explained although nobody sees it")
		}
		w.Show(true)
		wait()
		if w.State().Match == nil || asked(e) != 1 {
			t.Errorf("%d explanations after they were shown", asked(e))
		}
		w.PointAt(&Part{Node: 1})
		before := w.State().Match
		s.AddFiles(kerneltest.IDs(s)[1], kerneltest.Files("c"))
		wait()
		if got := w.State(); asked(e) != 2 || got.Match == before || got.Part != nil {
			t.Errorf("%d explanations after another example, %+v", asked(e), got)
		}
	})
}

func TestLookCloser(t *testing.T) {
	explained(t, func(t *testing.T, s *kernel.Kernel, w *Why, e *kerneltest.Engine, c *kerneltest.Camera, wait func()) {
		w.PointAt(&Part{Node: 1})
		w.OpenComparison()
		if w.State().Comparison != nil || w.State().Part != nil {
			t.Fatal("looks closer at nothing")
		}
		w.Show(true)
		c.Show()
		w.PointAt(&Part{Node: 1})
		w.OpenComparison()
		first := w.State()
		if first.Comparison == nil || first.Part != nil || first.Comparison.Match != first.Match || first.Comparison.Pair != (Pair{1, 1}) {
			t.Fatalf("%+v, want the strongest pair of the match", first.Comparison)
		}
		kerneltest.Rest(time.Second)
		if before := asked(e); !c.Show() || asked(e) != before {
			t.Error("frames are explained behind what is looked at")
		}
		w.PickPair(Pair{0, 0})
		if got := w.State().Comparison.Pair; got != (Pair{0, 0}) {
			t.Errorf("points at %+v", got)
		}
		other := kerneltest.IDs(s)[1]
		e.Mu.Lock()
		e.Answer = kerneltest.Says(0, answer.Score{ID: other, Score: 1})
		e.Mu.Unlock()
		w.CompareWith(other)
		if got := w.State().Comparison; got.ClassID != other || got.Match != first.Match {
			t.Errorf("%+v before the other class is known", got)
		}
		wait()
		got := w.State().Comparison
		if got.ClassID != other || got.Match.ClassID != other || got.Pair != (Pair{1, 1}) || got.Match.Answer.Best() != kerneltest.IDs(s)[0] {
			t.Errorf("%+v, want the other class, and the answer of the picture", got)
		}
		if told := e.Calls(); !slices.Contains(told, "explain seen "+other) {
			t.Errorf("told %q, want to explain what was seen", told)
		}
		n := asked(e)
		w.CompareWith(other)
		wait()
		if asked(e) != n {
			t.Error("asked again about the class that is shown")
		}
		e.Mu.Lock()
		e.Like = ""
		e.Mu.Unlock()
		w.CompareWith(kerneltest.IDs(s)[0])
		wait()
		if got := w.State().Comparison; got.ClassID != other || got.Match.ClassID != other {
			t.Errorf("%+v, want the class before, as there is no match with another", got)
		}
		w.CloseComparison()
		if w.State().Comparison != nil {
			t.Error("still looking")
		}
	})
}

func TestCompareWithWhenTheEngineFails(t *testing.T) {
	explained(t, func(t *testing.T, s *kernel.Kernel, w *Why, e *kerneltest.Engine, c *kerneltest.Camera, wait func()) {
		w.Show(true)
		c.Show()
		w.OpenComparison()
		e.Mu.Lock()
		e.Fail = func(call string) error { return kerneltest.Failure("internal", "no") }
		e.Mu.Unlock()
		w.CompareWith(kerneltest.IDs(s)[1])
		wait()
		if got := w.State().Comparison; got.ClassID != kerneltest.IDs(s)[0] {
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
		w.CompareWith(kerneltest.IDs(s)[1])
		w.CloseComparison()
		close(e.Working)
		synctest.Wait()
		if w.State().Comparison != nil {
			t.Error("an answer that came too late opened it again")
		}
	})
}

// An answer for a comparison that was closed does not show its picture in the next one.
func TestCompareWithAfterAnotherWasOpened(t *testing.T) {
	explained(t, func(t *testing.T, s *kernel.Kernel, w *Why, e *kerneltest.Engine, c *kerneltest.Camera, wait func()) {
		other := kerneltest.IDs(s)[1]
		w.Show(true)
		c.Show()
		w.OpenComparison()
		late := make(chan struct{})
		e.Mu.Lock()
		e.Working = late
		e.Mu.Unlock()
		w.CompareWith(other)
		wait()
		w.CloseComparison()
		e.Mu.Lock()
		e.Working = nil
		e.Answer = kerneltest.Says(0, answer.Score{ID: kerneltest.IDs(s)[0], Score: .3}, answer.Score{ID: other, Score: .7})
		e.Like = s.Classes.List()[1].Examples[0]
		e.Mu.Unlock()
		kerneltest.Rest(time.Second)
		c.Show()
		w.OpenComparison()
		opened := w.State().Comparison
		if opened == nil || opened.ClassID != other {
			t.Fatalf("%+v is open, want the other class", opened)
		}
		close(late)
		wait()
		if got := w.State().Comparison; got.Match != opened.Match {
			t.Error("the picture of the former comparison is shown")
		}
	})
}

// The heading does not ask why an unknown picture is of a class.
func TestQuestion(t *testing.T) {
	words := texts.In("en").Why
	cup := kernel.Class{ID: "cup", Label: "Cup"}
	scores := []answer.Score{{ID: "cup", Score: .3}, {ID: "pen", Score: .1}}
	for _, c := range []struct {
		class   kernel.Class
		unknown bool
		want    string
	}{
		{cup, false, words.TitleOf("Cup")},
		{cup, true, words.TitleNot("Cup")},
		{kernel.Class{ID: "pen", Label: "Pen"}, false, words.TitleNot("Pen")},
	} {
		m := &kernel.Match{Explanation: &answer.Explanation{ClassID: c.class.ID}}
		m.Answer.Scores, m.Answer.Verdict = scores, &answer.Verdict{Unknown: c.unknown}
		if got := question(texts.In("en"), c.class, m); got != c.want {
			t.Errorf("class %s, unknown %v: %q, want %q", c.class.ID, c.unknown, got, c.want)
		}
	}
}
