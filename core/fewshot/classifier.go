package fewshot

import (
	"errors"
	"fmt"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/match"
)

// Errors of classifiers; returned errors wrap them.
var (
	// ErrEmpty reports that there are no classes, or that a class has no examples.
	ErrEmpty = errors.New("no examples")
	// ErrMixed reports that examples were embedded in different ways.
	ErrMixed = errors.New("examples were embedded differently")
	// ErrUnfitted is the error of Scores before Fit. It wraps ErrEmpty.
	ErrUnfitted = fmt.Errorf("fewshot: %w: fit the classifier first", ErrEmpty)
)

// Class is one class of the support set.
type Class struct {
	Name    string // for errors
	Support []*embed.Set
}

// Classifier learns classes from a support set and scores queries against them.
// Classes may have different numbers of examples. Classifiers that learn (heads, SFC and
// Mixture) and DN4 count a repeated example like another one. A classifier is not safe for
// concurrent use.
type Classifier interface {
	// Fit learns the classes, and discards earlier ones. The sets must not change
	// while the classifier is used.
	//
	// It returns an error that wraps ErrEmpty if there is no class or a class has no
	// example, and ErrMixed if the sets differ in channels (or, for prototypes, in
	// nodes). It also returns the errors of match.Matcher.Prepare, with the class and
	// the example. After an error the classifier has no classes.
	Fit(classes []Class) error

	// Scores returns one finite logit per class, in the order of Fit. It reuses the
	// memory of dst.
	//
	// It returns an error that wraps ErrEmpty before a successful Fit, and the errors
	// of match.Matcher.Score.
	Scores(dst []float64, query *embed.Set) ([]float64, error)

	// Traits lists the optional operations.
	Traits() Traits
}

// Check returns the errors of Classifier.Fit that do not depend on the classifier: no classes, a
// class without examples, invalid sets, and sets that differ in channels.
func Check(classes []Class) error {
	if len(classes) == 0 {
		return fmt.Errorf("fewshot: %w: add a class with an example first", ErrEmpty)
	}
	channels := 0
	for _, class := range classes {
		if len(class.Support) == 0 {
			return fmt.Errorf("fewshot: class %q: %w: add one or remove the class", class.Name, ErrEmpty)
		}
		for i, set := range class.Support {
			if err := set.Check(); err != nil {
				return exampleError(class, i, err)
			}
			if channels == 0 {
				channels = set.C
			}
			if set.C != channels {
				return exampleError(class, i, fmt.Errorf("%w: %d channels, others have %d: embed all with the same weights", ErrMixed, set.C, channels))
			}
		}
	}
	return nil
}

// ClassError adds the class to an error about one of its sets, and the example if it cannot be
// prepared by itself.
func ClassError(m *match.Matcher, class Class, err error) error {
	for i, set := range class.Support {
		if _, err := m.Prepare(set); err != nil {
			return exampleError(class, i, err)
		}
	}
	return fmt.Errorf("fewshot: class %q: %w", class.Name, err)
}

func exampleError(class Class, i int, err error) error {
	return fmt.Errorf("fewshot: class %q, example %d: %w", class.Name, i+1, err)
}

// CheckChannels returns an error if a query has a different number of channels than the examples.
func CheckChannels(query *embed.Set, channels int) error {
	if query.C == channels {
		return nil
	}
	return fmt.Errorf("fewshot: query: %w: %d channels, examples have %d: embed all with the same weights", match.ErrChannels, query.C, channels)
}
