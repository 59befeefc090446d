package baseline

import (
	"fmt"
	"slices"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/fewshot"
	"github.com/deepemd/deepemd/core/match"
)

// sets scores a class by the mean of the query's matches with the sets that represent it. Examples
// may have different numbers of nodes.
type sets struct {
	plain

	matcher   match.Matcher
	represent func(fewshot.Class) ([]*embed.Set, error)
	classes   [][]*match.Prepared // nil before Fit
	query     match.Prepared
}

// Fusion returns a classifier that scores a class by the mean of the query's matching scores with
// its examples (EMD+Fusion in the paper's k-shot figure).
func Fusion(m match.Matcher) fewshot.Classifier {
	return &sets{matcher: m, represent: func(class fewshot.Class) ([]*embed.Set, error) { return class.Support, nil }}
}

// Merge returns a classifier that represents a class by one set with the nodes of all its examples,
// and scores a query by its match with this set (EMD+Merge in the paper's k-shot figure). The parts
// of a query can match parts of different examples.
func Merge(m match.Matcher) fewshot.Classifier {
	return &sets{matcher: m, represent: func(class fewshot.Class) ([]*embed.Set, error) { return []*embed.Set{union(class)}, nil }}
}

// Fit implements fewshot.Classifier.
func (s *sets) Fit(classes []fewshot.Class) (err error) {
	s.classes, err = fewshot.Prepare(&s.matcher, classes, s.represent)
	return err
}

// Scores implements fewshot.Classifier.
func (s *sets) Scores(dst []float64, query *embed.Set) ([]float64, error) {
	if s.classes == nil {
		return nil, fewshot.ErrUnfitted
	}
	if err := s.matcher.Reset(&s.query, query); err != nil {
		return nil, fmt.Errorf("fewshot: query: %w", err)
	}
	dst = slices.Grow(dst[:0], len(s.classes))
	for _, class := range s.classes {
		var sum float64
		for _, set := range class {
			score, err := s.matcher.ScorePrepared(&s.query, set)
			if err != nil {
				return nil, err
			}
			sum += score
		}
		dst = append(dst, sum/float64(len(class)))
	}
	return dst, nil
}

// union returns the concatenated nodes of a class's examples. Unless there is only one example, the
// set has no regions, because its nodes are from different images.
func union(class fewshot.Class) *embed.Set {
	if len(class.Support) == 1 {
		return class.Support[0]
	}
	all := &embed.Set{C: class.Support[0].C}
	for _, set := range class.Support {
		all.N += set.N
		all.Data = append(all.Data, set.Data...)
	}
	return all
}
