package fewshot

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/match"
	"github.com/deepemd/deepemd/core/method"
)

// candidate identifies a set of the supports, with its cosine to the query.
type candidate struct {
	class, set int
	likeness   float64
}

// rounding exceeds the rounding difference between a bound and a score, relative to the
// temperature. Their sums are in a different order.
const rounding = 1e-9

// best scores each class by its best match with the query. It solves the sets most similar
// to the query first, and skips sets whose upper bound (match.Pairing.Bound) is below the
// best score of their class.
//
// With skip, it compares bounds with the best score of all classes instead, so that most
// classes lose early. The score of a class is an upper bound, reported in s.bounded, if a
// skipped set could be its best. The best class and its score are exact.
//
// added, [classes] or empty, holds terms that the caller will add to the scores. They count
// in the comparison between classes; the results exclude them.
func (s *supports) best(m *match.Matcher, dst []float64, query *embed.Set, skip bool, added []float64) ([]float64, error) {
	if s.sets == nil {
		return nil, ErrUnfitted
	}
	if err := m.Reset(&s.query, query); err != nil {
		return nil, fmt.Errorf("fewshot: query: %w", err)
	}
	if err := CheckChannels(query, s.sets[0][0].C()); err != nil {
		return nil, err
	}
	s.line()
	way := len(s.sets)
	dst, s.highest, s.bounded = slices.Grow(dst[:0], way)[:way], slices.Grow(s.highest[:0], way)[:way], s.bounded[:0]
	for i := range dst {
		dst[i], s.highest[i] = math.Inf(-1), math.Inf(-1) // the best score, the highest bound
	}
	top := math.Inf(-1)
	for _, c := range s.order {
		pairing, err := m.Pair(&s.query, s.sets[c.class][c.set])
		if err != nil {
			return nil, err
		}
		beat, more := dst[c.class], 0.0
		if len(added) > 0 {
			more = added[c.class]
		}
		if skip {
			beat = top - more
		}
		if !math.IsInf(beat, -1) {
			if bound := s.scaled(c.class, pairing.Bound()); bound < beat-rounding*method.Temperature {
				s.highest[c.class] = max(s.highest[c.class], bound)
				continue
			}
		}
		found, err := pairing.Solve()
		if err != nil {
			return nil, err
		}
		score := s.scaled(c.class, found.Score)
		dst[c.class] = max(dst[c.class], score)
		top = max(top, score+more)
	}
	for i, bound := range s.highest {
		s.bounded = append(s.bounded, bound > dst[i]-rounding*method.Temperature)
		dst[i] = max(dst[i], bound)
	}
	return dst, nil
}

// line sorts the sets by decreasing similarity to the query.
func (s *supports) line() {
	s.order = s.order[:0]
	for i, sets := range s.sets {
		for j, set := range sets {
			s.order = append(s.order, candidate{i, j, s.query.Cosine(set)})
		}
	}
	slices.SortStableFunc(s.order, func(a, b candidate) int { return cmp.Compare(b.likeness, a.likeness) })
}
