package fewshot

import "github.com/deepemd/deepemd/core/embed"

// Traits lists the optional operations of a classifier. Unsupported operations are nil.
type Traits struct {
	Extender    Extender
	Student     Student
	Detailer    Detailer
	LeaveOneOut LeaveOneOut
	// Means reports whether the means of the examples represent the classes. SFC starts from them.
	Means bool
}

// Extender adds an example without processing the others again, as a live page requires.
type Extender interface {
	// Fork returns a copy. Fit and Extend of either do not change the other. The two share
	// working memory, so that only one of them may be used at a time.
	Fork() Classifier

	// Extend adds an example to the class with the given index, in the order of Fit. An
	// index equal to the number of classes adds a new class. The result is the same as
	// after a Fit with the example at the end of its class.
	//
	// It returns an error that wraps ErrEmpty before a successful Fit, and otherwise
	// the errors of Fit. After an error the classifier is as before. It panics if the
	// index is out of range.
	Extend(class int, example *embed.Set) error
}

// Student learns more from its examples than Fit does. Scores calls Learn first. A page that
// must not wait calls Detail while Learn runs. After Learn, Detail returns the same scores as
// Scores.
type Student interface {
	// Learn learns from all examples, unless it has already. It calls pause, unless nil, every
	// few milliseconds. During a pause the classifier may score, learn and be forked, but not
	// be extended or fitted. Learn returns the errors of Scores, and ends with the error of
	// pause.
	Learn(pause func() error) error
}

// Detailer returns more than scores.
type Detailer interface {
	// Detail is Scores with bounds and terms, after the learning so far; see Student. It
	// returns the same errors as Scores.
	Detail(d *Detail, query *embed.Set) error
}

// Detail contains the scores of a query, [classes] each. Detailers reuse its memory.
type Detail struct {
	Scores []float64
	// Bounded reports for each score whether it is only an upper bound. It is empty if all
	// scores are exact.
	Bounded []bool
	// Match contains the scores of Prototype; it is empty without prototypes.
	Match []float64
	// Head contains the terms that a linear head added to the scores; it is empty without a
	// head. The rest of a score is the term of the match.
	Head []float64
}

// LeaveOneOut converts Prototype's scores of a left-out example to its own scores.
type LeaveOneOut interface {
	// Without takes Prototype's scores of a left-out example, at the usual temperature, and
	// replaces them with the classifier's scores. It learns first, and returns the same errors
	// as Scores.
	Without(scores []float64, class, example int) error
}
