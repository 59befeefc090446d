package fewshot

import (
	"fmt"

	"deepemd/core/embed"
	"deepemd/core/match"
)

// Prototype represents each class by one set of nodes, the mean of its
// examples' sets node by node, and scores a query by its match with that set.
// With one example a class it is DeepEMD's 1-shot classifier; with more it is
// where the structured fully connected layer starts (DeepEMD, section 3.5).
//
// The zero value is ready for use.
type Prototype struct {
	// Matcher matches queries with prototypes; its settings may be changed until
	// Fit.
	Matcher match.Matcher

	gallery gallery
}

// Fit implements Classifier. All examples of a class must have the same number
// of nodes.
func (p *Prototype) Fit(classes []Class) error {
	return p.gallery.fill(&p.Matcher, classes, mean)
}

// Scores implements Classifier.
func (p *Prototype) Scores(dst []float64, query *embed.Set) ([]float64, error) {
	return p.gallery.scores(&p.Matcher, dst, query, only)
}

// mean represents a class by the mean of its examples, node by node. The regions
// are the first example's: embedders put the same node of every picture in one
// place.
func mean(class Class) ([]*embed.Set, error) {
	first := class.Support[0]
	if len(class.Support) == 1 {
		return class.Support, nil
	}
	mean := &embed.Set{N: first.N, C: first.C, Data: make([]float32, len(first.Data)), Regions: first.Regions}
	share := 1 / float32(len(class.Support))
	for i, set := range class.Support {
		if set.N != first.N {
			return nil, exampleError(class, i, fmt.Errorf("%w: %d nodes, the first has %d: use one embedder, or the nearest classifier", ErrMixed, set.N, first.N))
		}
		for k, v := range set.Data {
			mean.Data[k] += v * share
		}
	}
	return []*embed.Set{mean}, nil
}
