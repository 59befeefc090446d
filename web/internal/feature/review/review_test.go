package review

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/kerneltest"
	"github.com/deepemd/deepemd/web/internal/texts"
	"github.com/deepemd/deepemd/web/internal/ui"
)

func TestReviewsAreMadeWhenExamplesRestAndOnlyWhileShown(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *kernel.Kernel, e *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		shown := New(s)
		reviews := func() (n int) {
			for _, c := range e.Calls() {
				if c == "review" {
					n++
				}
			}
			return n
		}
		class := kerneltest.IDs(s)[0]
		s.AddFiles(class, kerneltest.Files("a", "b"))
		other := kerneltest.IDs(s)[1]
		s.AddFiles(other, kerneltest.Files("c", "d", "e", "f", "g"))
		wait()
		kerneltest.Rest(2 * kernel.RestPause)
		if reviews() != 0 {
			t.Error("a review was made that nobody sees")
		}
		examples := s.Classes.List()[0].Examples
		e.Found = answer.Review{
			Examples:    []answer.ReviewedExample{{ID: examples[0], ClassID: class, Taken: class, Twin: ""}, {ID: examples[1], ClassID: class, Taken: other, Problem: "dark", Twin: examples[0], Mislabeled: true}},
			Familiarity: answer.Familiarity{Known: []float64{-0.5, -1}, Unknown: []float64{-2, -0.8}, Reach: 2.5},
		}
		shown.Show(true)
		kerneltest.Rest(2 * kernel.RestPause)
		wait()
		state := shown.State()
		if reviews() != 1 || state.Busy || state.Review == nil {
			t.Fatalf("%d reviews, %+v", reviews(), state)
		}
		if right, all := state.Review.Accuracy(); right != 1 || all != 2 {
			t.Errorf("%d of %d right, want 1 of 2", right, all)
		}
		if accepted, rejected, ok := state.Review.Rates(-0.9); accepted != 0.5 || rejected != 0.5 || !ok {
			t.Errorf("rates %v, %v, %v; want a half each", accepted, rejected, ok)
		}
		if len(state.Few) != 1 || state.Few[0].ID != class || len(kerneltest.Keys(s)) > 0 {
			t.Errorf("too few examples: %+v, want the class of two; notices %q", state.Few, kerneltest.Keys(s))
		}
		shown.Pick(func(t *texts.Texts, n int) string { return t.Improve.Twins(n) }, func(r *Review) []string { return r.Having("twin") })
		if got := shown.State().Picked; !slices.Equal(got, examples[1:]) {
			t.Errorf("picked %q, want the twin", got)
		}
		s.Classes.RemoveExamples(examples[1])
		if got := shown.State(); len(got.Picked) != 0 || len(got.Review.Having("mislabeled")) != 0 || !got.Busy {
			t.Errorf("after the removal %+v, want it gone from the review, and a new one under way", got)
		}
		kerneltest.Rest(2 * kernel.RestPause)
		wait()
		if reviews() != 2 {
			t.Errorf("%d reviews after a change, want 2", reviews())
		}
	})
}

// After a reload the review is visible before the engine is loaded. It is due until then.
func TestAReviewThatIsShownBeforeTheEngine(t *testing.T) {
	kerneltest.Bubble(t, func(t *testing.T) {
		s, e := kerneltest.New(), &kerneltest.Engine{}
		shown := New(s)
		shown.Show(true)
		if shown.State().Due {
			t.Error("a review is due without examples")
		}
		store := kerneltest.NewStore()
		doc := s.Project.Fresh()
		doc.Classes[0].Examples = []project.Example{{ID: "a"}, {ID: "b"}}
		require.NoError(t, store.Save(doc))
		s.Project.StoreReady(store)
		kerneltest.Rest(2 * kernel.RestPause)
		if state := shown.State(); !state.Due || state.Review != nil {
			t.Errorf("%+v before the engine is there, want a review due", state)
		}
		e.Found = answer.Review{Examples: []answer.ReviewedExample{{ID: "a", ClassID: doc.Classes[0].ID}}}
		s.EngineReady(e)
		kerneltest.Rest(2 * kernel.RestPause)
		if state := shown.State(); state.Review == nil || len(state.Review.Examples) != 1 || state.Busy {
			t.Errorf("%+v once the engine is there, want the review", state)
		}
		told := len(e.Calls())
		s.EngineCrashed(kerneltest.Failure(kernel.CodeCrashed, "gone"), true)
		s.EngineRestarted()
		kerneltest.Rest(2 * kernel.RestPause)
		if got := e.Calls()[told:]; !slices.Contains(got, "review") {
			t.Errorf("an engine that was started again was told %q, want a review", got)
		}
	})
}

// Background examples are not counted, and their class may be small.
func TestReviewsLeaveNothingOut(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *kernel.Kernel, e *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		shown := New(s)
		class, empty := kerneltest.IDs(s)[0], s.Classes.Nothing()[0].ID
		s.AddFiles(class, kerneltest.Files("a"))
		s.AddFiles(empty, kerneltest.Files("desk"))
		wait()
		a, desk := s.Classes.List()[0].Examples[0], s.Classes.Nothing()[0].Examples[0]
		e.Found = answer.Review{Examples: []answer.ReviewedExample{{ID: a, ClassID: class, Taken: empty}, {ID: desk, ClassID: empty, Taken: empty}}}
		shown.Show(true)
		kerneltest.Rest(2 * kernel.RestPause)
		wait()
		state := shown.State()
		if len(state.Few) != 1 || state.Few[0].ID != class {
			t.Errorf("too few examples: %+v, want the class alone", state.Few)
		}
		if right, all := state.Review.Accuracy(); right != 0 || all != 1 {
			t.Errorf("%d of %d right, want 0 of the one example of a class", right, all)
		}
		if got := state.Review.Confusion(class, empty); !slices.Equal(got, []string{a}) {
			t.Errorf("taken for nothing: %q, want the example", got)
		}
		// All mislabeled examples are removed in one step, and undo restores all.
		s.AddFiles(class, kerneltest.Files("b", "c"))
		wait()
		examples := s.Classes.List()[0].Examples
		s.Classes.RemoveExamples(examples[:2]...)
		if got := s.Classes.List()[0].Examples; !slices.Equal(got, examples[2:]) {
			t.Errorf("%q are left, want %q", got, examples[2:])
		}
		if step := s.Classes.History().Undo; step != kernel.StepRemoveExamples {
			t.Errorf("the step is %v", step)
		}
		s.Classes.Undo()
		if got := s.Classes.List()[0].Examples; !slices.Equal(got, examples) {
			t.Errorf("%q after undoing, want all", got)
		}
		// A moved example leaves the review, which had judged it in its class.
		moves := shown.State().Review.Moves([]string{a})
		if moves[a] != empty {
			t.Errorf("the example moves to %q, want %q", moves[a], empty)
		}
		s.Classes.MoveExamples(moves)
		if owner, _ := s.Classes.OwnerOf(a); owner.ID != empty || len(shown.State().Review.Examples) != 0 {
			t.Errorf("the moved example is in %q; the review has %v", owner.ID, shown.State().Review.Examples)
		}
		kerneltest.Rest(4 * kernel.RestPause)
	})
}

// Until the next review, nothing is taken for a class that has been removed or disabled, and moves there.
func TestReviewsForgetUnusedClasses(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *kernel.Kernel, e *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		shown := New(s)
		class, other := kerneltest.IDs(s)[0], kerneltest.IDs(s)[1]
		s.AddFiles(class, kerneltest.Files("a"))
		s.AddFiles(other, kerneltest.Files("b"))
		wait()
		a, b := s.Classes.List()[0].Examples[0], s.Classes.List()[1].Examples[0]
		e.Found = answer.Review{Examples: []answer.ReviewedExample{{ID: a, ClassID: class, Taken: other, Mislabeled: true}, {ID: b, ClassID: other, Taken: other}}}
		shown.Show(true)
		kerneltest.Rest(2 * kernel.RestPause)
		wait()
		for _, change := range []func(){func() { s.Classes.Enable(other, false) }, func() { s.Classes.Remove(other) }, func() { s.Classes.Clear(other) }} {
			change()
			left := shown.State().Review
			if len(left.Examples) != 1 || len(left.Moves([]string{a})) > 0 || len(left.Having("mislabeled")) > 0 {
				t.Errorf("%+v are left, want the example of the other class alone, taken for none", left.Examples)
			}
			s.Classes.Undo()
			if left := shown.State().Review; len(left.Examples) != 2 || left.Moves([]string{a})[a] != other {
				t.Errorf("%+v after undoing, want both", left.Examples)
			}
		}
		kerneltest.Rest(4 * kernel.RestPause)
	})
}

func TestWhatAReviewSays(t *testing.T) {
	r := &Review{answer.Review{
		Familiarity: answer.Familiarity{Balanced: -1, Reach: 2},
		Examples: []answer.ReviewedExample{
			{ID: "a", ClassID: "cup", Taken: "cup"}, {ID: "b", ClassID: "cup", Taken: "mug", Problem: "dark"},
			{ID: "c", ClassID: "mug", Taken: "mug", Twin: "b"}, {ID: "d", ClassID: "mug", Taken: ""},
		},
	}}
	if got := r.Confusion("cup", "mug"); !slices.Equal(got, []string{"b"}) {
		t.Errorf("cups taken for mugs: %q", got)
	}
	if got := r.Having("dark"); !slices.Equal(got, []string{"b"}) {
		t.Errorf("dark: %q", got)
	}
	if right, all := r.Accuracy(); right != 2 || all != 3 {
		t.Errorf("%d of %d right, want 2 of 3", right, all)
	}
	if low, middle, high := r.Threshold(0), r.Threshold(.5), r.Threshold(1); middle != -1 || low+high != -2 || low >= high {
		t.Errorf("thresholds %v, %v, %v, want the balanced one in the middle", low, middle, high)
	}
	if r.Relaxed = true; !r.relaxed(.42) || r.relaxed(.43) {
		t.Error("the relaxed threshold is mentioned at the wrong strictness")
	}
	if _, _, ok := r.Rates(-1); ok {
		t.Error("rates of no examples")
	}
	// Sounds are never dark.
	if left := r.of(map[string]string{"a": "cup", "b": "cup"}, map[string]bool{"cup": true, "mug": true}, project.KindSound); len(left.Examples) != 2 || len(left.Having("dark")) != 0 {
		t.Errorf("%+v, want the two that are there, without problems of pictures", left.Examples)
	}
}

// Misclassified examples of small classes are listed separately, as they have too few others.
func TestReviewDoesNotJudgeSmallClasses(t *testing.T) {
	r := Review{answer.Review{Examples: []answer.ReviewedExample{
		{ID: "a1", ClassID: "a", Taken: "b"}, {ID: "a2", ClassID: "a", Taken: "a"}, {ID: "c1", ClassID: "c"},
		{ID: "b1", ClassID: "b", Taken: "a"}, {ID: "b2", ClassID: "b", Taken: "b"}, {ID: "b3", ClassID: "b", Taken: "b"},
	}, Classes: []answer.ReviewedClass{{ID: "a", Parts: 2}, {ID: "b", Parts: 3}, {ID: "c", Parts: 1}}}}
	if got := r.Having("unjudged"); !slices.Equal(got, []string{"a1"}) {
		t.Errorf("not judged are %v, want the one of the class of two", got)
	}
	// The frames of one film are not three examples.
	if r.Classes[1].Parts = 2; len(r.Having("unjudged")) != 2 {
		t.Errorf("not judged are %v, want that of the film, too", r.Having("unjudged"))
	}
}

// The heading of picked examples has their present number and the present names of their classes.
// Another project begins without picked examples.
func TestHeadingOfPickedExamples(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *kernel.Kernel, e *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		v := &view{Reviews: New(s), page: &ui.Page{}}
		class, other := kerneltest.IDs(s)[0], kerneltest.IDs(s)[1]
		s.AddFiles(class, kerneltest.Files("a", "b"))
		s.AddFiles(other, kerneltest.Files("c"))
		wait()
		examples := s.Classes.List()[0].Examples
		for _, id := range examples {
			e.Found.Examples = append(e.Found.Examples, answer.ReviewedExample{ID: id, ClassID: class, Taken: other, Problem: "dark"})
		}
		v.Show(true)
		kerneltest.Rest(2 * kernel.RestPause)
		heading := func(want string) {
			t.Helper()
			if html := app.HTMLString(v.picked(s.Texts(), v.State())); !strings.Contains(html, want) {
				t.Errorf("%s\nwant %q", html, want)
			}
		}
		v.pickFlaw("dark")
		heading(s.Texts().Improve.Dark(2))
		s.Classes.RemoveExamples(examples[0])
		heading(s.Texts().Improve.Dark(1))
		v.pickConfusion(class, other)
		s.Classes.Rename(class, "Cat")
		heading(s.Texts().Improve.Taken("Cat", s.Classes.List()[1].Label))

		cups := kerneltest.Cups()
		cups.Classes[0].Examples[0].ID = examples[1]
		s.Project.StoreReady(kerneltest.NewStore(cups))
		s.Project.Open(cups.ID)
		kerneltest.Rest(time.Minute)
		if got := v.State(); got.Picked != nil || got.Review == nil {
			t.Errorf("another project begins with %+v", got)
		}
	})
}

// slow is an engine whose reviews take a second.
type slow struct{ *kerneltest.Engine }

func (e slow) Review() (answer.Review, error) {
	e.Mu.Lock()
	found := e.Found
	e.Mu.Unlock()
	time.Sleep(time.Second)
	return found, e.Do("review")
}

// A review that ends after another project was opened is not shown there: examples of both may have
// the same ids.
func TestReviewOfAFormerProject(t *testing.T) {
	kerneltest.Bubble(t, func(t *testing.T) {
		s, e := kerneltest.New(), &kerneltest.Engine{}
		shown, cups := New(s), kerneltest.Cups()
		former := cups
		former.ID, former.Saved = "project-former", cups.Saved.Add(time.Hour)
		e.Found.Examples = []answer.ReviewedExample{{ID: "example-7", ClassID: "class-1", Problem: "dark"}}
		s.EngineReady(slow{e})
		s.Project.StoreReady(kerneltest.NewStore(cups, former))
		shown.Show(true)
		kerneltest.Rest(kernel.RestPause + time.Second/2)
		s.Project.Open(cups.ID)
		kerneltest.Rest(time.Millisecond)
		e.Mu.Lock()
		e.Found = answer.Review{}
		e.Mu.Unlock()
		kerneltest.Rest(time.Second)
		if got := shown.State(); s.Project.State().ID != cups.ID || got.Review != nil || !got.Busy {
			t.Errorf("%s: %+v, want no review yet", s.Project.State().ID, got)
		}
		kerneltest.Rest(3 * time.Second)
		if got := shown.State(); got.Review == nil || got.Busy {
			t.Errorf("%+v, want the project's own review", got)
		}
	})
}
