package fewshot

import (
	"fmt"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/match"
)

// admit prepares an example for the class with the given index. It returns an error that
// wraps ErrEmpty before Fit and ErrMixed for another number of channels, and the errors of
// Prepare. It panics if the index is out of range.
func (s *supports) admit(m *match.Matcher, class int, example *embed.Set) (*match.Prepared, error) {
	if s.sets == nil {
		return nil, ErrUnfitted
	}
	if class < 0 || class > len(s.sets) {
		panic(fmt.Sprintf("fewshot: no class %d among %d", class, len(s.sets)))
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
