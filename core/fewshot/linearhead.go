package fewshot

import "github.com/deepemd/deepemd/core/embed"

// LinearHead is a linear layer with a bias on an image's mean node, learned on the support
// by cross-entropy (the baseline of Chen et al., "A Closer Look at Few-shot Classification",
// 2019). It starts from zero. The default Descent has 100 passes, batches of 4, rate 0.01,
// momentum and dampening 0.9, and decay 0.001.
//
// All classes have the same weight in training, regardless of their numbers of examples.
// The zero value is ready for use.
type LinearHead struct {
	plain

	Descent Descent

	head head
}

// Fit implements Classifier. Examples may have different numbers of nodes. Fit also returns
// an error for an invalid Descent.
func (l *LinearHead) Fit(classes []Class) error {
	return l.head.fit(linear{}, l.Descent.or(headDescent), classes)
}

// Scores implements Classifier.
func (l *LinearHead) Scores(dst []float64, query *embed.Set) ([]float64, error) {
	return l.head.scores(dst, query)
}

// linear computes the logit w·f + b, where b is the last weight of the class.
type linear struct{}

func (linear) size(channels int) int            { return channels + 1 }
func (linear) begin(_ []float64, _ [][]float64) {}

func (linear) logit(weights, feature []float64) float64 {
	return dot(feature, weights) + weights[len(feature)]
}

func (linear) backward(dst, _, feature []float64, slope float64) {
	for i, f := range feature {
		dst[i] += slope * f
	}
	dst[len(feature)] += slope
}
