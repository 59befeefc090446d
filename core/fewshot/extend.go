package fewshot

import (
	"fmt"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/match"
)

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
