// Package review is the feature that shows what the examples say about themselves: those
// that do not fit, what is mixed up, and what is unknown.
package review

import (
	"slices"
	"time"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/texts"
)

// Review is what the examples of now say.
type Review struct{ answer.Review }

// fewExamples is how many examples a class should have at least.
const fewExamples = 5

// Confusion lists the examples of class row that are taken for class column, by the
// ids of both.
func (r *Review) Confusion(row, column string) []string {
	var ids []string
	for _, e := range r.Examples {
		if e.ClassID == row && e.Taken == column {
			ids = append(ids, e.ID)
		}
	}
	return ids
}

// Accuracy is how many of so many examples of the classes are taken for their own. State
// leaves the examples of nothing out.
func (r *Review) Accuracy() (right, all int) {
	for _, e := range r.Examples {
		if e.Taken != "" {
			all++
		}
		if e.Taken == e.ClassID {
			right++
		}
	}
	return right, all
}

// Having lists the examples with a problem, or for "twin" those that have one.
func (r *Review) Having(problem string) []string {
	var ids []string
	for _, e := range r.Examples {
		if e.Problem == problem || problem == "twin" && e.Twin != "" {
			ids = append(ids, e.ID)
		}
	}
	return ids
}

// Harmful lists the examples that are mixed up and harm the others, the most harmful first.
func (r *Review) Harmful() (ids []string) {
	for _, h := range r.Hurting {
		ids = append(ids, h.ID)
	}
	return ids
}

// leastJudged is how many examples a class needs for a review to say which of them harm
// the others: without one, the rest must still be left out in turn.
const leastJudged = 3

// Unjudged lists the examples that are taken for another class in classes too small to
// say whether they harm the others.
func (r *Review) Unjudged() (ids []string) {
	count := map[string]int{}
	for _, e := range r.Examples {
		count[e.ClassID]++
	}
	for _, e := range r.Examples {
		if e.Taken != "" && e.Taken != e.ClassID && count[e.ClassID] < leastJudged {
			ids = append(ids, e.ID)
		}
	}
	return ids
}

// State says what the page shows of the review.
type State struct {
	Shown  bool
	Review *Review        // of the latest examples that could be looked at; nil for none
	Busy   bool           // a newer one is on its way
	Due    bool           // there are examples to look at, once the engine is there
	Few    []kernel.Class // classes with too few examples
	Picked []string
	Title  func(*texts.Texts) string // of what is picked: see Pick
}

// reviewLatest is the longest that a review lets pass what a person waits for.
const reviewLatest = 3 * time.Second

// Reviews are what the examples say about themselves, as far as a person sees it.
type Reviews struct {
	kernel.Part
	seen kernel.Revisions
	task kernel.Task

	shown  bool
	review *Review
	title  func(*texts.Texts) string
	pick   func(*Review) []string // what the person looks at, of any review
}

// New returns the reviews of a kernel's examples.
func New(k *kernel.Kernel) *Reviews {
	r := &Reviews{Part: kernel.Part{K: k}}
	r.task = kernel.NewTask(&r.Part, kernel.RestPause, reviewLatest, r.look)
	k.Follow(r.follow)
	return r
}

// State returns what is shown of the review.
func (r *Reviews) State() State {
	classes := r.K.Classes.List()
	r.Lock()
	defer r.Unlock()
	state := State{Shown: r.shown, Busy: r.task.Working(), Title: r.title}
	here := map[string]bool{}
	for _, c := range classes {
		for _, id := range c.Examples {
			here[id] = true
		}
		if c.Disabled || len(c.Examples) == 0 {
			continue
		}
		state.Due = true
		if len(c.Examples) < fewExamples {
			state.Few = append(state.Few, c)
		}
	}
	if r.review != nil && len(here) > 0 {
		state.Review = r.review.of(here, r.K.Project.Kind())
		if r.pick != nil {
			state.Picked = r.pick(state.Review)
		}
	}
	return state
}

// of is a review of the examples that are still here, for projects of a kind.
func (r *Review) of(here map[string]bool, kind string) *Review {
	left := *r
	left.Examples = nil
	for _, e := range r.Examples {
		if here[e.ID] {
			if kind == project.KindSound {
				e.Problem = "" // Dark and blurred are words for pictures.
			}
			left.Examples = append(left.Examples, e)
		}
	}
	left.Hurting = slices.DeleteFunc(slices.Clone(r.Hurting), func(h answer.Hurt) bool { return !here[h.ID] })
	return &left
}

// Show shows the review, or hides it: then none is made either.
func (r *Reviews) Show(on bool) {
	r.Update(func() { r.shown = on })
	if on {
		r.examine()
	}
}

// Pick looks at some of the examples of a review more closely: those that the function
// names, of this review and of later ones; nil for none.
func (r *Reviews) Pick(title func(*texts.Texts) string, of func(*Review) []string) {
	r.Update(func() { r.title, r.pick = title, of })
}

// follow drops the review of another project, and looks again after other changes.
func (r *Reviews) follow() {
	news := r.News(&r.seen)
	if news.Project > 0 {
		r.Update(func() { r.review = nil })
	}
	if news.Project+news.Examples+news.Method > 0 {
		r.examine()
	}
}

// examine makes a new review once the examples have come to rest, if it is shown.
func (r *Reviews) examine() {
	ready := r.K.Engine.Get() != nil
	r.Lock()
	wanted := r.shown && ready
	r.Unlock()
	if wanted {
		r.task.Ask()
	}
}

// look makes a review of the examples of now.
func (r *Reviews) look(engine kernel.Engine) {
	found, err := engine.Review()
	r.Update(func() {
		switch {
		case err == nil:
			r.review = &Review{found}
		case kernel.CodeOf(err) == kernel.CodeEmpty:
			r.review = nil
		}
	})
	if err != nil {
		r.K.Notices.Trouble(err)
	}
}
