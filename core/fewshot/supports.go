package fewshot

import (
	"fmt"
	"slices"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/match"
)

// supports holds the classes of a matching classifier: one or more prepared sets of nodes per
// class.
type supports struct {
	sets  [][]*match.Prepared // by class
	scale []float64           // the factor of each class's scores; empty for 1
	query match.Prepared

	order   []candidate // working memory of best
	highest []float64   // likewise, per class
	bounded []bool      // per class, a result of best
}

// fork returns a copy of the classes that shares the working memory.
func (s *supports) fork() supports {
	fork := *s
	fork.sets, fork.scale = slices.Clone(s.sets), slices.Clone(s.scale)
	for i, sets := range fork.sets {
		fork.sets[i] = slices.Clip(sets)
	}
	return fork
}

// Prepare prepares the sets that represent a class, for each class in order. It returns nil and the
// error of represent, or an error of [Check] or [ClassError].
func Prepare(m *match.Matcher, classes []Class, represent func(Class) ([]*embed.Set, error)) ([][]*match.Prepared, error) {
	if err := Check(classes); err != nil {
		return nil, err
	}
	all := make([][]*match.Prepared, len(classes))
	for i, class := range classes {
		sets, err := represent(class)
		if err != nil {
			return nil, err
		}
		for _, set := range sets {
			prepared, err := m.Prepare(set)
			if err != nil {
				return nil, ClassError(m, class, err)
			}
			all[i] = append(all[i], prepared)
		}
	}
	return all, nil
}

// scores matches the query with the only set of every class. It reuses the memory of dst.
func (s *supports) scores(m *match.Matcher, dst []float64, query *embed.Set) ([]float64, error) {
	if s.sets == nil {
		return nil, ErrUnfitted
	}
	if err := m.Reset(&s.query, query); err != nil {
		return nil, fmt.Errorf("fewshot: query: %w", err)
	}
	dst = slices.Grow(dst[:0], len(s.sets))[:len(s.sets)]
	for i, sets := range s.sets {
		score, err := m.ScorePrepared(&s.query, sets[0])
		if err != nil {
			return nil, err
		}
		dst[i] = s.scaled(i, score)
	}
	return dst, nil
}

// scaled multiplies a score by the scale of its class.
func (s *supports) scaled(class int, score float64) float64 {
	if len(s.scale) > 0 {
		score *= s.scale[class]
	}
	return score
}

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
