package fewshot

import (
	"fmt"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/match"
)

// Extender is a Classifier that takes one more example without looking at the
// others again, as a live page needs: its classes grow while it answers.
type Extender interface {
	Classifier

	// Extend adds an example to the class with the given number, in the order of
	// Fit. The number of classes adds a new class of that one example. The
	// classifier is then the same as if Fit had seen the example at the end of its
	// class.
	//
	// It returns an error that wraps ErrEmpty before a successful Fit, and otherwise
	// those of Fit. After an error the classifier is as before.
	Extend(class int, example *embed.Set) error
}

// admit checks an example to be added to the class of the given number, whose
// channels are those of the other supports, and returns it as a support.
func (s *supports) admit(m *match.Matcher, class int, example *embed.Set) (*match.Prepared, error) {
	if s.sets == nil {
		return nil, errUnfitted()
	}
	if class < 0 || class > len(s.sets) {
		panic(fmt.Sprintf("fewshot: class %d of %d to extend", class, len(s.sets)))
	}
	prepared, err := m.Prepare(example)
	if err != nil {
		return nil, fmt.Errorf("fewshot: new example: %w", err)
	}
	if want := s.sets[0][0].C(); prepared.C() != want {
		return nil, fmt.Errorf("fewshot: new example: %w: %d channels, others have %d: embed all with the same weights", ErrMixed, prepared.C(), want)
	}
	return prepared, nil
}
