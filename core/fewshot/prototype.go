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
	// Matcher matches queries with prototypes; its settings may be changed.
	Matcher match.Matcher

	prototypes []*match.Prepared
	query      match.Prepared
}

// Fit implements Classifier. All examples of a class must have the same number
// of nodes.
func (p *Prototype) Fit(classes []Class) error {
	p.prototypes = nil
	if err := checkSupport(classes); err != nil {
		return err
	}
	prototypes := make([]*match.Prepared, len(classes))
	for i, class := range classes {
		mean, err := meanSet(class)
		if err != nil {
			return err
		}
		if prototypes[i], err = match.Prepare(mean); err != nil {
			return culprit(class, err)
		}
	}
	p.prototypes = prototypes
	return nil
}

// Scores implements Classifier.
func (p *Prototype) Scores(dst []float64, query *embed.Set) ([]float64, error) {
	if p.prototypes == nil {
		return nil, errUnfitted()
	}
	if err := p.query.Reset(query); err != nil {
		return nil, fmt.Errorf("fewshot: query: %w", err)
	}
	dst = grow(dst, len(p.prototypes))
	for i, prototype := range p.prototypes {
		score, err := p.Matcher.ScorePrepared(&p.query, prototype)
		if err != nil {
			return nil, err
		}
		dst[i] = score
	}
	return dst, nil
}

// meanSet is the mean of a class's examples, node by node. The regions are the
// first example's: embedders put the same node of every picture in one place.
func meanSet(class Class) (*embed.Set, error) {
	first := class.Support[0]
	if len(class.Support) == 1 {
		return first, nil
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
	return mean, nil
}

// culprit names the example that spoils its class's mean.
func culprit(class Class, err error) error {
	for i, set := range class.Support {
		if _, err := match.Prepare(set); err != nil {
			return exampleError(class, i, err)
		}
	}
	return fmt.Errorf("fewshot: class %q: %w", class.Name, err)
}
