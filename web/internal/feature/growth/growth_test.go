package growth

import (
	"slices"
	"testing"
	"time"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/kerneltest"
)

func TestGrowthIsFoundWhileShown(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *kernel.Kernel, e *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		g := New(s)
		asked := func() (n int) {
			for _, c := range e.Calls() {
				if c == "grow" {
					n++
				}
			}
			return n
		}
		classes := kerneltest.IDs(s)
		e.Grew = answer.Curve{Done: 2, Total: 2, Points: []answer.CurvePoint{{Examples: 1, Right: 0.6, Spread: 0.1}, {Examples: 4, Right: 0.9}}}
		g.Show(true)
		kerneltest.Rest(2 * kernel.RestPause)
		if state := g.State(); !state.TooFew || asked() != 0 {
			t.Errorf("without examples %+v, asked %d times", state, asked())
		}
		s.AddFiles(classes[0], kerneltest.Files("a", "b", "c"))
		wait()
		if !g.State().TooFew {
			t.Error("one class is enough")
		}
		s.AddFiles(classes[1], kerneltest.Files("d"))
		wait()
		kerneltest.Rest(kernel.RestPause + 100*time.Millisecond)
		state := g.State()
		if state.TooFew || !state.Busy || state.Growth == nil || len(state.Growth.Points) != 1 || state.Progress != (kernel.Progress{Done: 1, All: 2}) {
			t.Fatalf("under way: %+v, want the first point", state)
		}
		kerneltest.Rest(2 * time.Second)
		if state = g.State(); state.Busy || len(state.Growth.Points) != 2 {
			t.Fatalf("found: %+v", state)
		}

		s.Classes.Enable(classes[1], false)
		if !g.State().TooFew {
			t.Error("a disabled class counts")
		}
		s.Classes.Enable(classes[1], true)
		kerneltest.Rest(kernel.RestPause + 2*time.Second)
		before := asked()
		s.Classes.RemoveExamples(s.Classes.List()[0].Examples[0])
		if state = g.State(); state.Growth != nil || !state.TooFew {
			t.Errorf("of two and one examples: %+v", state)
		}
		s.Classes.Undo()
		kerneltest.Rest(kernel.RestPause + 100*time.Millisecond)
		if state = g.State(); !state.Busy || len(state.Growth.Points) != 2 {
			t.Errorf("after a change: %+v, want the former growth until the new one is whole", state)
		}
		g.Show(false)
		kerneltest.Rest(100 * time.Millisecond)
		if state = g.State(); state.Busy || state.Shown {
			t.Errorf("hidden: %+v, want it stopped", state)
		}
		again := asked()
		s.Classes.Rename(classes[0], "other")
		s.AddFiles(classes[0], kerneltest.Files("f"))
		kerneltest.Rest(3 * time.Second)
		if again <= before || asked() != again {
			t.Errorf("asked %d times, then %d, while hidden %d", before, again, asked())
		}

		g.Show(true)
		kerneltest.Rest(3 * time.Second)
		cups := kerneltest.Cups()
		cups.Classes[0].Examples = append(cups.Classes[0].Examples, project.Example{ID: "example-9"})
		s.Project.StoreReady(kerneltest.NewStore(cups))
		s.Project.Open(cups.ID)
		wait()
		if state = g.State(); state.Growth != nil || state.TooFew {
			t.Errorf("in another project: %+v", state)
		}
		kerneltest.Rest(3 * time.Second)
		if keys := kerneltest.Keys(s); len(keys) > 0 {
			t.Errorf("notices %q", keys)
		}

		e.Mu.Lock()
		e.Fail = func(call string) error { return kerneltest.Failure(kernel.CodeEmpty, call) }
		e.Mu.Unlock()
		g.Show(false)
		g.Show(true)
		kerneltest.Rest(3 * time.Second)
		if state, keys := g.State(), kerneltest.Keys(s); !state.TooFew || state.Growth != nil || len(keys) > 0 {
			t.Errorf("of examples that are too alike: %+v, notices %q", state, keys)
		}

		e.Mu.Lock()
		e.Fail = func(call string) error { return kerneltest.Failure("broken", call) }
		e.Mu.Unlock()
		g.Show(false)
		g.Show(true)
		kerneltest.Rest(3 * time.Second)
		if keys := kerneltest.Keys(s); len(keys) != 1 {
			t.Errorf("after an error, notices %q", keys)
		}
	})
}

func TestHints(t *testing.T) {
	points := []answer.CurvePoint{{Examples: 1}, {Examples: 2}, {Examples: 3}, {Examples: 5}, {Examples: 10}}
	of := func(id string, right ...int) answer.CurveClass {
		return answer.CurveClass{ID: id, Right: right, Asked: []int{20, 20, 20, 20, 20}}
	}
	well := []Hint{{Verdict: Well}}
	for _, test := range []struct {
		what    string
		classes []answer.CurveClass
		want    []Hint
	}{
		{"one gains, one is well", []answer.CurveClass{of("a", 5, 8, 9, 12, 18), of("b", 20, 20, 20, 20, 20)}, []Hint{{Helps, "a", 0.6, 0.9}}},
		{"the one that gains most", []answer.CurveClass{of("a", 5, 8, 9, 16, 18), of("b", 2, 4, 6, 8, 15)}, []Hint{{Helps, "b", 0.4, 0.75}}},
		{"none gains: the hardest", []answer.CurveClass{of("a", 15, 16, 16, 16, 16), of("b", 10, 10, 11, 12, 12)}, []Hint{{Flat, "b", 0.6, 0.6}}},
		{"one gains, one falls", []answer.CurveClass{of("a", 15, 16, 16, 10, 18), of("b", 10, 10, 11, 5, 0)}, []Hint{{Helps, "a", 0.5, 0.9}, {Flat, "b", 0.25, 0}}},
		{"all well", []answer.CurveClass{of("a", 15, 16, 18, 19, 19), of("b", 19, 19, 20, 20, 20)}, well},
		{"a class that only the last point has", []answer.CurveClass{of("a", 5, 8, 9, 12, 18), {ID: "b", Right: []int{4: 10}, Asked: []int{4: 20}}}, []Hint{{Helps, "a", 0.6, 0.9}}},
		{"a class of one example", []answer.CurveClass{of("a", 15, 16, 18, 19, 19), {ID: "b", Right: make([]int, 5), Asked: make([]int, 5)}}, well},
	} {
		g := answer.Curve{Points: points, Classes: test.classes}
		if got := hints(&g); !slices.Equal(got, test.want) {
			t.Errorf("%s: %+v, want %+v", test.what, got, test.want)
		}
	}
	for _, c := range []struct {
		examples []int
		half     float64
	}{{[]int{1, 2}, 0.1}, {[]int{1, 2, 3, 8, 10}, 0.3}, {[]int{1, 2, 4, 8, 10}, 0.3}} {
		var g answer.Curve
		a := answer.CurveClass{ID: "a"}
		for i, n := range c.examples {
			g.Points = append(g.Points, answer.CurvePoint{Examples: n})
			a.Right, a.Asked = append(a.Right, 2*i+2), append(a.Asked, 20)
		}
		g.Classes = []answer.CurveClass{a}
		if got := hints(&g); len(got) != 1 || got[0].Half != c.half {
			t.Errorf("half of %d examples: %+v, want %v right", c.examples, got, c.half)
		}
	}
	unfinished := answer.Curve{Done: 3, Total: 9, Points: points[:2], Classes: []answer.CurveClass{of("a", 1, 20)}}
	if got := hints(&unfinished); got != nil {
		t.Errorf("before all is found: %+v", got)
	}
}
