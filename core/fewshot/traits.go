package fewshot

import "github.com/deepemd/deepemd/core/embed"

// Traits lists the optional operations of a classifier. Fields of operations that it does
// not have are nil.
type Traits struct {
	Extender Extender
	Student  Student
	Detailer Detailer
	Omitter  Omitter
	Leaver   Leaver
	// Means reports that means of examples represent the classes: training (see Learning)
	// starts from there.
	Means bool
}

// Extender takes one more example without processing the others again, as a live page
// requires: its classes grow while it answers.
type Extender interface {
	// Fork returns a copy. Fit and Extend of either do not change the other. The two share
	// working memory, so that only one of them may be used at a time.
	Fork() Classifier

	// Extend adds an example to the class with the given number, in the order of
	// Fit. The number of classes adds a new class of that one example. The
	// classifier is then the same as if Fit had seen the example at the end of its
	// class.
	//
	// It returns an error that wraps ErrEmpty before a successful Fit, and otherwise
	// the errors of Fit. After an error the classifier is as before.
	Extend(class int, example *embed.Set) error
}

// Student learns more from its examples than Fit does. Scores learns first whatever is
// left to learn. A page that must not wait calls Detail, while Learn has its turn: once that
// has ended, Detail returns the same scores as Scores.
type Student interface {
	// Learn learns whatever is left to learn. It calls pause, unless that is nil, every few
	// milliseconds; meanwhile the classifier may answer, learn and be forked, but not be
	// extended or fitted. It returns the errors of Scores, and of pause, which end it.
	Learn(pause func() error) error
}

// Detailer returns more than scores.
type Detailer interface {
	// Detail is Scores with bounds and terms, by the learning so far (see Student). It
	// returns the same errors as Scores.
	Detail(d *Detail, query *embed.Set) error
}

// Detail has the scores of a query, [classes] each. Detailers reuse its memory.
type Detail struct {
	Scores []float64
	// Bounded reports for each score whether it is only an upper bound. It is empty if all
	// scores are exact.
	Bounded []bool
	// Match has the scores of Prototype; it is empty without prototypes.
	Match []float64
	// Head has the terms that a linear head added to the scores; it is empty without a head.
	// The rest of a score is the term of the match.
	Head []float64
}

// Omitter leaves an example out without another Fit.
type Omitter interface {
	// ScoreWithout is an example's score against its own class, as Scores would give it
	// after a Fit of the same classes without that example, except for rounding. The
	// class must have another example.
	//
	// It returns the same errors as Scores.
	ScoreWithout(class int, example *embed.Set) (float64, error)
}

// Leaver derives its scores of a left-out example from those of Prototype.
type Leaver interface {
	// Without takes the scores by which Prototype, at the usual temperature, rates an example
	// that is left out of its class, and replaces them by its own. It learns first whatever
	// is left to learn, and returns the same errors as Scores.
	Without(scores []float64, class, example int) error
}

// plain is embedded by classifiers without optional operations.
type plain struct{}

// Traits implements Classifier.
func (plain) Traits() Traits { return Traits{} }
