package fewshot

import "github.com/deepemd/deepemd/core/embed"

// Student is a Classifier that learns from its examples more than it takes to take them
// in. Scores learns first whatever is left to learn. A page that must not wait asks
// ScoresSoFar, and calls Study in between until all is learned: then both say the same.
type Student interface {
	Classifier

	// Study does some milliseconds' work of what is left to learn, and says about how
	// many nanoseconds that is in a page; 0 when all is learned. Errors are those of
	// Scores.
	Study() (work int, err error)

	// ScoresSoFar is Scores by what was learned so far. Errors are those of Scores.
	ScoresSoFar(dst []float64, query *embed.Set) ([]float64, error)
}
