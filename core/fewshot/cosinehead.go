package fewshot

import (
	"math"

	"github.com/deepemd/deepemd/core/embed"
)

// CosineHead scores by T times the cosine of an image's mean node with a weight vector per
// class, learned on the support by cross-entropy (Baseline++ of Chen et al., "A Closer Look
// at Few-shot Classification", 2019). Training starts at the mean of the class's mean nodes,
// scaled to length 1. The default Descent is LinearHead's.
//
// All classes have the same weight in training, regardless of their numbers of examples.
// The zero value is ready for use.
type CosineHead struct {
	plain

	Descent Descent
	// Temperature is T; the default is method.Temperature.
	Temperature float64

	head head
}

// Fit implements Classifier. Examples may have different numbers of nodes. Fit also returns
// an error for an invalid Descent.
func (c *CosineHead) Fit(classes []Class) error {
	return c.head.fit(angular{temperature(c.Temperature)}, c.Descent.or(headDescent), classes)
}

// Scores implements Classifier.
func (c *CosineHead) Scores(dst []float64, query *embed.Set) ([]float64, error) {
	return c.head.scores(dst, query)
}

// angular computes the logit T·w·f/(‖w‖·‖f‖).
type angular struct{ temperature float64 }

func (angular) size(channels int) int { return channels }

func (angular) begin(weights []float64, examples [][]float64) {
	copy(weights, centroid(examples))
	normalise(weights)
}

func (a angular) logit(weights, feature []float64) float64 {
	return a.temperature * cosine(weights, feature)
}

// backward uses the gradient of the cosine by w, (f/‖f‖ − cos·w/‖w‖)/‖w‖.
func (a angular) backward(dst, weights, feature []float64, slope float64) {
	ww, ff := math.Sqrt(dot(weights, weights)), math.Sqrt(dot(feature, feature))
	if ww == 0 || ff == 0 {
		return
	}
	cos := dot(weights, feature) / (ww * ff)
	scale := a.temperature * slope / ww
	for i, f := range feature {
		dst[i] += scale * (f/ff - cos*weights[i]/ww)
	}
}
