package fewshot

import (
	"slices"

	"deepemd/core/embed"
	"deepemd/core/match"
)

// Nearest scores a class by the best match of the query with any one of its
// examples (EMD+NN in the paper's k-shot figure). Examples need not have the
// same number of nodes.
//
// The zero value is ready for use.
type Nearest struct {
	// Matcher matches queries with examples; its settings may be changed until
	// Fit.
	Matcher match.Matcher

	gallery gallery
}

// Fit implements Classifier.
func (n *Nearest) Fit(classes []Class) error {
	return n.gallery.fill(&n.Matcher, classes, examples)
}

// Scores implements Classifier.
func (n *Nearest) Scores(dst []float64, query *embed.Set) ([]float64, error) {
	return n.gallery.scores(&n.Matcher, dst, query, slices.Max)
}
