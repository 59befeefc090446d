package fewshot

import (
	"fmt"
	"slices"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/match"
)

// supports holds the classes of a classifier that matches: one or more sets of nodes
// of each, prepared as supports.
type supports struct {
	sets  [][]*match.Prepared // by class
	scale []float64           // of scores, by class; empty for 1
	query match.Prepared
	each  []float64 // scores of one class's sets

	order   []candidate // of best
	bounded []bool      // by class, of best
}

// fork copies the classes. The copy shares working memory.
func (s *supports) fork() supports {
	fork := *s
	fork.sets, fork.scale = slices.Clone(s.sets), slices.Clone(s.scale)
	for i, sets := range fork.sets {
		fork.sets[i] = slices.Clip(sets)
	}
	return fork
}

// prepare takes the sets that represent makes for each class. After
// an error it is empty.
func (s *supports) prepare(m *match.Matcher, classes []Class, represent func(Class) ([]*embed.Set, error)) error {
	s.sets = nil
	if err := checkSupport(classes); err != nil {
		return err
	}
	all := make([][]*match.Prepared, len(classes))
	for i, class := range classes {
		sets, err := represent(class)
		if err != nil {
			return err
		}
		for _, set := range sets {
			prepared, err := m.Prepare(set)
			if err != nil {
				return culprit(m, class, err)
			}
			all[i] = append(all[i], prepared)
		}
	}
	s.sets = all
	return nil
}

// scores matches the query with every set and writes pool's result for each class
// into dst; see Classifier.
func (s *supports) scores(m *match.Matcher, dst []float64, query *embed.Set, pool func(scores []float64) float64) ([]float64, error) {
	if s.sets == nil {
		return nil, errUnfitted()
	}
	if err := m.Reset(&s.query, query); err != nil {
		return nil, fmt.Errorf("fewshot: query: %w", err)
	}
	dst = slices.Grow(dst[:0], len(s.sets))[:len(s.sets)]
	for i, sets := range s.sets {
		s.each = slices.Grow(s.each[:0], len(sets))[:len(sets)]
		for j, set := range sets {
			var err error
			if s.each[j], err = m.ScorePrepared(&s.query, set); err != nil {
				return nil, err
			}
		}
		dst[i] = s.scaled(i, pool(s.each))
	}
	return dst, nil
}

// scaled is a class's score by its scale.
func (s *supports) scaled(class int, score float64) float64 {
	if len(s.scale) > 0 {
		score *= s.scale[class]
	}
	return score
}

// only is the pool of classes of one set.
func only(scores []float64) float64 { return scores[0] }

// examples represents a class by each of its examples.
func examples(class Class) ([]*embed.Set, error) { return class.Support, nil }

// culprit names the example that spoils its class.
func culprit(m *match.Matcher, class Class, err error) error {
	for i, set := range class.Support {
		if _, err := m.Prepare(set); err != nil {
			return exampleError(class, i, err)
		}
	}
	return fmt.Errorf("fewshot: class %q: %w", class.Name, err)
}
