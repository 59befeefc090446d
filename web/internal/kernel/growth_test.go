package kernel_test

import (
	"slices"
	"testing"
	"time"

	. "github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/kerneltest"
)

func TestGrowthIsFoundWhileShown(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, e *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		asked := func() (n int) {
			for _, c := range e.Told() {
				if c == "grow" {
					n++
				}
			}
			return n
		}
		classes := kerneltest.IDs(s)
		e.Grew = Growth{Done: 2, Total: 2, Points: []GrowthPoint{{Examples: 1, Right: 0.6, Spread: 0.1}, {Examples: 4, Right: 0.9}}}
		s.Growth.Show(true)
		kerneltest.Rest(2 * RestPause)
		if state := s.Growth.State(); !state.TooFew || asked() != 0 {
			t.Errorf("without examples %+v, asked %d times", state, asked())
		}
		s.AddFiles(classes[0], []File{{"a", "a"}, {"b", "b"}, {"c", "c"}})
		s.AddFiles(classes[1], []File{{"d", "d"}})
		wait()
		kerneltest.Rest(RestPause + 100*time.Millisecond)
		state := s.Growth.State()
		if state.TooFew || !state.Busy || state.Growth == nil || len(state.Growth.Points) != 1 || state.Progress != (Progress{1, 2}) {
			t.Fatalf("under way: %+v, want the first point", state)
		}
		kerneltest.Rest(2 * time.Second)
		if state = s.Growth.State(); state.Busy || len(state.Growth.Points) != 2 {
			t.Fatalf("found: %+v", state)
		}

		before := asked()
		s.Classes.RemoveExample(s.Classes.List()[0].Examples[0])
		if state = s.Growth.State(); state.Growth != nil || !state.TooFew {
			t.Errorf("of two and one examples: %+v", state)
		}
		s.Classes.Undo()
		kerneltest.Rest(RestPause + 100*time.Millisecond)
		if state = s.Growth.State(); !state.Busy || len(state.Growth.Points) != 2 {
			t.Errorf("after a change: %+v, want the former growth until the new one is whole", state)
		}
		s.Growth.Show(false)
		kerneltest.Rest(100 * time.Millisecond)
		if state = s.Growth.State(); state.Busy || state.Shown {
			t.Errorf("hidden: %+v, want it stopped", state)
		}
		again := asked()
		s.Classes.Rename(classes[0], "other")
		s.AddFiles(classes[0], []File{{"f", "f"}})
		kerneltest.Rest(3 * time.Second)
		if again <= before || asked() != again {
			t.Errorf("asked %d times, then %d, while hidden %d", before, again, asked())
		}

		s.Growth.Show(true)
		kerneltest.Rest(3 * time.Second)
		s.Project.StoreReady(kerneltest.NewStore())
		s.Project.New()
		wait()
		if state = s.Growth.State(); state.Growth != nil {
			t.Errorf("in a new project: %+v", state)
		}
		kerneltest.Rest(3 * time.Second)
	})
}

func TestGrowthHints(t *testing.T) {
	points := []GrowthPoint{{Examples: 1}, {Examples: 2}, {Examples: 3}, {Examples: 5}, {Examples: 10}}
	of := func(id string, right ...int) GrowthClass {
		return GrowthClass{ID: id, Right: right, Asked: []int{20, 20, 20, 20, 20}}
	}
	well := []GrowthHint{{Verdict: GrowthWell}}
	for _, test := range []struct {
		what    string
		classes []GrowthClass
		want    []GrowthHint
	}{
		{"one gains, one is well", []GrowthClass{of("a", 5, 8, 9, 12, 18), of("b", 20, 20, 20, 20, 20)}, []GrowthHint{{GrowthHelps, "a", 0.6, 0.9}}},
		{"the one that gains most", []GrowthClass{of("a", 5, 8, 9, 16, 18), of("b", 2, 4, 6, 8, 15)}, []GrowthHint{{GrowthHelps, "b", 0.4, 0.75}}},
		{"none gains: the hardest", []GrowthClass{of("a", 15, 16, 16, 16, 16), of("b", 10, 10, 11, 12, 12)}, []GrowthHint{{GrowthFlat, "b", 0.6, 0.6}}},
		{"one gains, one falls", []GrowthClass{of("a", 15, 16, 16, 10, 18), of("b", 10, 10, 11, 5, 0)}, []GrowthHint{{GrowthHelps, "a", 0.5, 0.9}, {GrowthFlat, "b", 0.25, 0}}},
		{"all well", []GrowthClass{of("a", 15, 16, 18, 19, 19), of("b", 19, 19, 20, 20, 20)}, well},
		{"a class of one example", []GrowthClass{of("a", 15, 16, 18, 19, 19), {ID: "b", Right: make([]int, 5), Asked: make([]int, 5)}}, well},
	} {
		g := Growth{Points: points, Classes: test.classes}
		if got := g.Hints(); !slices.Equal(got, test.want) {
			t.Errorf("%s: %+v, want %+v", test.what, got, test.want)
		}
	}
	unfinished := Growth{Done: 3, Total: 9, Points: points[:2], Classes: []GrowthClass{of("a", 1, 20)}}
	if got := unfinished.Hints(); got != nil {
		t.Errorf("before all is found: %+v", got)
	}
}
