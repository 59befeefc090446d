package openset

import (
	"math"

	"github.com/deepemd/deepemd/core/fewshot"
)

// sample holds values with weights.
type sample struct{ values, weights []float64 }

// add adds a value. Inlined, it would make the engine larger.
//
//go:noinline
func (s *sample) add(value, weight float64) {
	s.values, s.weights = append(s.values, value), append(s.weights, weight)
}

// normal returns the mean and the deviation.
func (s *sample) normal() (n Normal) {
	var all, squares float64
	for i, v := range s.values {
		all, n.Mean = all+s.weights[i], n.Mean+s.weights[i]*v
	}
	n.Mean /= all
	for i, v := range s.values {
		squares += s.weights[i] * (v - n.Mean) * (v - n.Mean)
	}
	n.Deviation = math.Sqrt(squares / all)
	return n
}

// above returns the highest value with at most a share of the weight below it.
func (s *sample) above(share float64) float64 {
	left := 1e-9 // except rounding
	for _, weight := range s.weights {
		left += share * weight
	}
	order := fewshot.Ranking(s.values)
	at := len(order) - 1
	for left -= s.weights[order[at]]; left >= 0; left -= s.weights[order[at]] {
		at--
	}
	return s.values[order[at]]
}

// weights returns the weights of the examples: the parts of a class weigh the same.
func (l *LeftOut) weights() (weights []float64) {
	for _, runs := range l.Runs {
		for _, part := range fewshot.Separate(runs) {
			for range part.To - part.From {
				weights = append(weights, 1/float64(part.To-part.From))
			}
		}
	}
	return weights
}
