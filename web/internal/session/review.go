package session

import (
	"time"

	"github.com/deepemd/deepemd/core/project"
)

// Review is what the examples say about themselves, as of deepemd.js.
type Review struct {
	Examples       []Reviewed
	Known, Unknown []float64 // scores of examples left out, and left out with their class
	Balanced       float64
	Estimated      bool    // there was nothing to leave out
	Accepted       float64 // shares of strangers let in and of others turned away by
	Rejected       float64 // the balanced threshold, as measured elsewhere
	Worst          string  // the example without which the others fit best, or ""
}

// Reviewed is what is known of an example.
type Reviewed struct {
	ID, ClassID string
	Problem     string // "dark", "bright", "blurred" or ""
	Twin        string // an earlier example that is all but the same, or ""
	Taken       string // the class it is taken for when it is left out, or ""
	Margin      float64
}

// fewExamples is how many examples a class should have at least.
const fewExamples = 5

// Rates are the shares of strangers that a threshold lets in and of known pictures
// that it turns away, counted on the examples; where there are none, false.
func (r *Review) Rates(threshold float64) (accepted, rejected float64, ok bool) {
	if len(r.Known) == 0 || len(r.Unknown) == 0 {
		return 0, 0, false
	}
	reach := func(scores []float64) float64 {
		n := 0.
		for _, v := range scores {
			if v >= threshold {
				n++
			}
		}
		return n / float64(len(scores))
	}
	return reach(r.Unknown), 1 - reach(r.Known), true
}

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

// Accuracy is how many of so many examples are taken for their own class.
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

// ReviewState is what is shown of the review.
type ReviewState struct {
	Shown  bool
	Review *Review // of the latest examples that could be looked at; nil for none
	Busy   bool    // a newer one is on its way
	Few    []Class // classes with too few examples
	Picked []string
	Title  string // of what is picked: see Pick
}

// pause is how long examples rest before they are looked at.
const pause = 300 * time.Millisecond

// reviews is the part of the session that is about reviews.
type reviews struct {
	shown   bool
	review  *Review
	working bool
	again   bool
	title   string
	pick    func(*Review) []string // what the person looks at, of any review
}

// ReviewState returns what is shown of the review.
func (s *Session) ReviewState() ReviewState {
	s.mu.Lock()
	defer s.mu.Unlock()
	state := ReviewState{Shown: s.reviews.shown, Busy: s.reviews.working, Title: s.reviews.title}
	if r := s.reviews.review; r != nil && s.examples() > 0 {
		state.Review = s.stillThere(r)
		if s.reviews.pick != nil {
			state.Picked = s.reviews.pick(state.Review)
		}
	}
	for _, c := range s.snapshot() {
		if !c.Disabled && len(c.Examples) > 0 && len(c.Examples) < fewExamples {
			state.Few = append(state.Few, c)
		}
	}
	return state
}

// stillThere is a review without the examples that went since. The lock is held.
func (s *Session) stillThere(r *Review) *Review {
	here := map[string]bool{}
	for _, c := range s.classes {
		for _, id := range c.Examples {
			here[id] = true
		}
	}
	left := *r
	left.Examples = nil
	for _, e := range r.Examples {
		if here[e.ID] {
			if s.project.Kind == project.KindSound {
				e.Problem = "" // Dark and blurred are words for pictures.
			}
			left.Examples = append(left.Examples, e)
		}
	}
	if !here[left.Worst] {
		left.Worst = ""
	}
	return &left
}

// ShowReview shows the review, or hides it: then none is made either.
func (s *Session) ShowReview(on bool) {
	s.update(func() { s.reviews.shown = on }, Reviews)
	if on {
		s.examine()
	}
}

// Pick looks at some of the examples of a review more closely: those that the
// function names, of this review and of later ones; nil for none.
func (s *Session) Pick(title string, of func(*Review) []string) {
	s.update(func() { s.reviews.title, s.reviews.pick = title, of }, Reviews)
}

// examine makes a new review once the examples have come to rest, if it is shown.
func (s *Session) examine() {
	s.update(func() {
		switch {
		case !s.reviews.shown || s.engine == nil:
		case s.reviews.working:
			s.reviews.again = true
		default:
			s.reviews.working = true
			go s.makeReview()
		}
	}, Reviews)
}

func (s *Session) makeReview() {
	for {
		time.Sleep(pause)
		<-s.settled()
		s.update(func() { s.reviews.again = false })
		review, err := s.engine.Review()
		again := false
		s.update(func() {
			again = s.reviews.again
			s.reviews.working = again
			switch {
			case err == nil:
				s.reviews.review = &review
			case codeOf(err) == CodeEmpty:
				s.reviews.review = nil
			}
		}, Reviews)
		if err != nil {
			s.trouble(err)
		}
		if !again {
			return
		}
	}
}
