package fewshot

import (
	"fmt"

	"deepemd/core/embed"
	"deepemd/core/match"
)

// Nearest scores a class by the best match of the query with any one of its
// examples (EMD+NN in the paper's k-shot figure). Examples need not have the
// same number of nodes.
//
// The zero value is ready for use.
type Nearest struct {
	// Matcher matches queries with examples; its settings may be changed.
	Matcher match.Matcher

	examples [][]*match.Prepared // by class
	query    match.Prepared
}

// Fit implements Classifier.
func (n *Nearest) Fit(classes []Class) error {
	n.examples = nil
	if err := checkSupport(classes); err != nil {
		return err
	}
	examples := make([][]*match.Prepared, len(classes))
	for i, class := range classes {
		for j, set := range class.Support {
			prepared, err := match.Prepare(set)
			if err != nil {
				return exampleError(class, j, err)
			}
			examples[i] = append(examples[i], prepared)
		}
	}
	n.examples = examples
	return nil
}

// Scores implements Classifier.
func (n *Nearest) Scores(dst []float64, query *embed.Set) ([]float64, error) {
	if n.examples == nil {
		return nil, errUnfitted()
	}
	if err := n.query.Reset(query); err != nil {
		return nil, fmt.Errorf("fewshot: query: %w", err)
	}
	dst = grow(dst, len(n.examples))
	for i, examples := range n.examples {
		for j, example := range examples {
			score, err := n.Matcher.ScorePrepared(&n.query, example)
			if err != nil {
				return nil, err
			}
			if j == 0 || score > dst[i] {
				dst[i] = score
			}
		}
	}
	return dst, nil
}
