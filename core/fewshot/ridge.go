package fewshot

import (
	"fmt"
	"slices"

	"github.com/deepemd/deepemd/core/embed"
)

// RidgeHead is a linear layer on a picture's whole map, learned on the support in
// closed form: ridge regression of one-hot labels, as Bertinetto et al. ("Meta-learning
// with Differentiable Closed-form Solvers", 2019) have it for mean features. Its input
// is every node, centred by its mean over channels and scaled to length 1/√N, so that
// places count, and the mean node, scaled to length 1. Classes count the same in
// learning, whatever their numbers of examples. Scores are about 1 for a picture's own
// class and 0 for the others, less the mean of both.
//
// The zero value is ready for use.
type RidgeHead struct {
	// Strength is the weight of the squared length of the layer's weights; 0 stands
	// for 0.3.
	Strength float64

	classes  [][]int // which examples each class has, in their order
	examples []ridgeExample
	gram     [][]float64 // gram[i][j], j ≤ i: the product of two examples' inputs
	nodes    int
	channels int

	layer *ridgeLayer // that was learned last, of these examples or of fewer
	stale bool        // examples came since it was
	query ridgeInput
}

// ridgeExample is an example as the layer learns from it.
type ridgeExample struct {
	class int
	ridgeInput
}

// ridgeLayer is what was learned.
type ridgeLayer struct {
	nodes, channels int
	weights         []float32 // [way, (N+1)·C]
	bias            []float64 // [way]
	left            []float64 // [examples, way]: scores of each example by all others
}

const ridgeStrength = 0.3

// Fit implements Classifier. All examples must have the same number of nodes. Products of
// examples that were there before are not computed again.
func (r *RidgeHead) Fit(classes []Class) error {
	known := make(map[*embed.Set]int, len(r.examples))
	for i, e := range r.examples[:len(r.gram)] {
		known[e.set] = i
	}
	before, products := r.examples, r.gram
	r.forget()
	if err := checkSupport(classes); err != nil {
		return err
	}
	first := classes[0].Support[0]
	r.nodes, r.channels = first.N, first.C
	var kept []int // the former places of examples, which come first
	var fresh []ridgeExample
	places := make([][]int, len(classes)) // below 0 those of fresh ones
	for c, class := range classes {
		for i, set := range class.Support {
			example := ridgeExample{class: c}
			if at, ok := known[set]; ok && r.fits(set) == nil {
				example.ridgeInput = before[at].ridgeInput
				places[c] = append(places[c], len(kept))
				kept, r.examples = append(kept, at), append(r.examples, example)
				delete(known, set) // a set that is there twice has two inputs
				continue
			}
			if err := r.read(&example, set); err != nil {
				r.forget()
				return exampleError(class, i, err)
			}
			places[c] = append(places[c], -1-len(fresh))
			fresh = append(fresh, example)
		}
	}
	for i, at := range kept {
		row := make([]float64, i+1)
		for j, other := range kept[:i+1] {
			row[j] = products[max(at, other)][min(at, other)]
		}
		r.gram = append(r.gram, row)
	}
	r.examples = append(r.examples, fresh...)
	for _, list := range places {
		for i, at := range list {
			if at < 0 {
				list[i] = len(kept) - 1 - at
			}
		}
	}
	r.classes = places
	return nil
}

// forget drops what was fitted.
func (r *RidgeHead) forget() {
	r.classes, r.examples, r.gram, r.layer = nil, nil, nil, nil
	r.stale = true
}

// Traits implements Classifier.
func (r *RidgeHead) Traits() Traits { return Traits{Extender: r} }

// Fork implements Extender.
func (r *RidgeHead) Fork() Classifier {
	fork := r.fork()
	return &fork
}

// fork copies the head.
func (r *RidgeHead) fork() RidgeHead {
	fork := *r
	fork.classes = slices.Clone(r.classes)
	for i, members := range fork.classes {
		fork.classes[i] = slices.Clip(members)
	}
	fork.examples, fork.gram = slices.Clip(r.examples), slices.Clip(r.gram)
	return fork
}

// Extend implements Extender. The layer is learned again when it is next asked for
// scores.
func (r *RidgeHead) Extend(class int, example *embed.Set) error {
	if r.classes == nil {
		return errUnfitted()
	}
	e := ridgeExample{class: class}
	if err := r.read(&e, example); err != nil {
		return fmt.Errorf("fewshot: new example: %w", err)
	}
	if class == len(r.classes) {
		r.classes = append(r.classes, nil)
	}
	r.classes[class] = append(r.classes[class], len(r.examples))
	r.examples = append(r.examples, e)
	r.stale = true
	return nil
}

// read makes the input of an example.
func (r *RidgeHead) read(e *ridgeExample, set *embed.Set) error {
	if err := set.Check(); err != nil {
		return err
	}
	if err := r.fits(set); err != nil {
		return err
	}
	return e.reset(set)
}

// fits refuses sets of another shape than the first.
func (r *RidgeHead) fits(set *embed.Set) error {
	if set.N != r.nodes || set.C != r.channels {
		return fmt.Errorf("%w: %d nodes of %d channels, the first has %d of %d: use one embedder, or the nearest classifier", ErrMixed, set.N, set.C, r.nodes, r.channels)
	}
	return nil
}

// Scores implements Classifier.
func (r *RidgeHead) Scores(dst []float64, query *embed.Set) ([]float64, error) {
	if r.classes == nil {
		return nil, errUnfitted()
	}
	if err := r.Learn(nil); err != nil {
		return nil, err
	}
	return r.scores(dst, r.layer, query)
}

// scores are those by a layer.
func (r *RidgeHead) scores(dst []float64, by *ridgeLayer, query *embed.Set) ([]float64, error) {
	if err := query.Check(); err != nil {
		return nil, fmt.Errorf("fewshot: query: %w", err)
	}
	if query.N != by.nodes {
		return nil, fmt.Errorf("fewshot: query: %w: %d nodes, examples have %d: use one embedder, or the nearest classifier", ErrMixed, query.N, by.nodes)
	}
	if err := sameChannels(query, by.channels); err != nil {
		return nil, err
	}
	if err := r.query.reset(query); err != nil {
		return nil, fmt.Errorf("fewshot: query: %w", err)
	}
	dst = slices.Grow(dst[:0], len(by.bias))[:len(by.bias)]
	size := (by.nodes + 1) * by.channels
	for i := range dst {
		dst[i] = r.query.product(by.weights[i*size:][:size]) + by.bias[i]
	}
	return dst, nil
}

// ScoresWithout are the scores of an example of a class by a layer that was learned from
// all others, in which its class still counts as much as each other one, once it has
// learned. The slice must not be changed.
func (r *RidgeHead) ScoresWithout(class, example int) []float64 {
	way := len(r.classes)
	return r.layer.left[r.classes[class][example]*way:][:way]
}
