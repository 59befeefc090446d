// Package review is the feature that examines the examples: outliers, confusions, and unknown
// images.
package review

import (
	"slices"
	"time"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/texts"
)

// Review is a review of the examples.
type Review struct{ answer.Review }

// fewExamples is the recommended minimum of examples per class.
const fewExamples = 5

// Confusion returns the examples of class row that are classified as class column.
func (r *Review) Confusion(row, column string) []string {
	var ids []string
	for _, e := range r.Examples {
		if e.ClassID == row && e.Taken == column {
			ids = append(ids, e.ID)
		}
	}
	return ids
}

// Moves returns the class that each of some examples is taken for, by example, unless it is its own or
// there is none.
func (r *Review) Moves(ids []string) map[string]string {
	to, wanted := map[string]string{}, map[string]bool{}
	for _, id := range ids {
		wanted[id] = true
	}
	for _, e := range r.Examples {
		if e.Taken != "" && e.Taken != e.ClassID && wanted[e.ID] {
			to[e.ID] = e.Taken
		}
	}
	return to
}

// Accuracy returns the number of correctly classified examples, and of all. State omits background
// examples.
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

// Having returns the examples with a problem. "twin" stands for a near duplicate, "mislabeled" for
// examples that are probably in the wrong class, and "unjudged" for misclassified examples of classes
// with fewer parts than answer.LeastJudged.
func (r *Review) Having(problem string) (ids []string) {
	parts := map[string]int{}
	for _, c := range r.Classes {
		parts[c.ID] = c.Parts
	}
	for _, e := range r.Examples {
		unjudged := e.Taken != "" && e.Taken != e.ClassID && parts[e.ClassID] < answer.LeastJudged
		if e.Problem == problem || problem == "twin" && e.Twin != "" || problem == "mislabeled" && e.Mislabeled || problem == "unjudged" && unjudged {
			ids = append(ids, e.ID)
		}
	}
	return ids
}

// State is the state of the review on the page.
type State struct {
	Shown  bool
	Review *Review        // the latest; or nil
	Busy   bool           // a new review is being made
	Due    bool           // there are examples, but no engine yet
	Few    []kernel.Class // classes with too few examples
	Picked []string
	Title  func(t *texts.Texts, n int) string // of n picked examples: see Pick
}

// reviewLatest is the maximum time that a review waits for work that the user waits for.
const reviewLatest = 3 * time.Second

// Reviews makes reviews while the user wants to see them.
type Reviews struct {
	*kernel.Report
	review *Review
	title  func(t *texts.Texts, n int) string
	pick   func(*Review) []string // selects the picked examples of any review
}

// New returns the reviews of a kernel's examples.
func New(k *kernel.Kernel) *Reviews {
	r := &Reviews{}
	r.Report = kernel.NewReport(k, reviewLatest, r.look, func() { r.review, r.title, r.pick = nil, nil, nil })
	return r
}

// State returns the state of the review.
func (r *Reviews) State() State {
	classes, nothing := r.K.Classes.List(), r.K.Classes.Nothing()
	r.Lock()
	defer r.Unlock()
	state := State{Shown: r.Shown(), Busy: r.Busy(), Title: r.title}
	here, used := map[string]string{}, map[string]bool{} // the class of each example; the classes that answer
	for _, c := range slices.Concat(classes, nothing) {
		used[c.ID] = !c.Disabled && len(c.Examples) > 0
	}
	for _, c := range classes {
		if !used[c.ID] {
			continue
		}
		for _, id := range c.Examples {
			here[id] = c.ID
		}
		state.Due = true
		if len(c.Examples) < fewExamples {
			state.Few = append(state.Few, c)
		}
	}
	if r.review != nil && len(here) > 0 {
		state.Review = r.review.of(here, used, r.K.Project.Kind())
		if r.pick != nil {
			state.Picked = r.pick(state.Review)
		}
	}
	return state
}

// of returns the review without removed and moved examples, for projects of a kind. An example is not
// taken for a class that is no longer used.
func (r *Review) of(here map[string]string, used map[string]bool, kind string) *Review {
	left := *r
	left.Examples = nil
	for _, e := range r.Examples {
		if here[e.ID] == e.ClassID {
			if kind == project.KindSound {
				e.Problem = "" // problems of images only
			}
			if !used[e.Taken] {
				e.Taken, e.Mislabeled = "", false
			}
			left.Examples = append(left.Examples, e)
		}
	}
	return &left
}

// Pick shows the examples that a function selects from this review and from later ones; nil to show
// no examples.
func (r *Reviews) Pick(title func(t *texts.Texts, n int) string, of func(*Review) []string) {
	r.Update(func() { r.title, r.pick = title, of })
}

func (r *Reviews) look(engine kernel.Engine, _ <-chan struct{}) {
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
