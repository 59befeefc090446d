package fewshot

import (
	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/match"
)

// Merge represents a class by one set with the nodes of all its examples, and scores a query
// by its match with this set (EMD+Merge in the paper's k-shot figure). The parts of a query
// can match parts of different examples. Examples may have different numbers of nodes.
//
// The zero value is ready for use.
type Merge struct {
	plain

	// Matcher matches queries with classes. Its settings may change until Fit.
	Matcher match.Matcher

	supports supports
}

// Fit implements Classifier.
func (m *Merge) Fit(classes []Class) error {
	return m.supports.prepare(&m.Matcher, classes, union)
}

// Scores implements Classifier.
func (m *Merge) Scores(dst []float64, query *embed.Set) ([]float64, error) {
	return m.supports.scores(&m.Matcher, dst, query, only)
}

// union represents a class by the concatenated nodes of its examples. Unless there is only
// one example, the set has no regions, because its nodes are from different images.
func union(class Class) ([]*embed.Set, error) {
	if len(class.Support) == 1 {
		return class.Support, nil
	}
	all := &embed.Set{C: class.Support[0].C}
	for _, set := range class.Support {
		all.N += set.N
		all.Data = append(all.Data, set.Data...)
	}
	return []*embed.Set{all}, nil
}
