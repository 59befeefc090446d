package fewshot

import (
	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/match"
)

// Fusion scores a class by the mean of the query's matching scores with its examples
// (EMD+Fusion in the paper's k-shot figure). Examples may have different numbers of
// nodes.
//
// The zero value is ready for use.
type Fusion struct {
	plain

	// Matcher matches queries with examples. Its settings may change until Fit.
	Matcher match.Matcher

	supports supports
}

// Fit implements Classifier.
func (f *Fusion) Fit(classes []Class) error {
	return f.supports.prepare(&f.Matcher, classes, examples)
}

// Scores implements Classifier.
func (f *Fusion) Scores(dst []float64, query *embed.Set) ([]float64, error) {
	return f.supports.scores(&f.Matcher, dst, query, meanScore)
}

func meanScore(scores []float64) float64 {
	var sum float64
	for _, s := range scores {
		sum += s
	}
	return sum / float64(len(scores))
}
