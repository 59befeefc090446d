package fewshot

import (
	"fmt"
	"slices"

	"github.com/deepemd/deepemd/core/embed"
)

// RidgeHead is a linear layer on an image's full feature map, learned on the support in
// closed form: ridge regression of one-hot labels, as in Bertinetto et al. ("Meta-learning
// with Differentiable Closed-form Solvers", 2019) for mean features. Its input has two parts:
// all nodes, each centered by its mean over channels and scaled to length 1/√N, and the mean
// node, scaled to length 1. All classes have the same weight in learning, regardless of their
// numbers of examples. Scores approximate 1 for an image's class and 0 for the others, minus
// 1/classes.
//
// The zero value is ready for use.
type RidgeHead struct {
	classes  [][]int // the indices of each class's examples, in the order of the class
	examples []ridgeExample
	gram     []products
	nodes    int
	channels int

	layer *ridgeLayer // the result of the last Learn, perhaps from fewer examples
	stale bool        // examples changed since the last Learn
	query ridgeInput
}

// products holds the dot products of the inputs of an example and of each example up to itself.
type products struct{ nodes, mean []float64 }

// ridgeExample is the input of an example, with its class.
type ridgeExample struct {
	class int
	ridgeInput
}

// ridgeLayer is a learned layer.
type ridgeLayer struct {
	nodes, channels int
	weights         []float32 // [way, (N+1)·C]
	bias            []float64 // [way]
	left            []float64 // [examples, way]: scores of each example by a layer of the examples outside its part
}

// ridge holds the settings of a layer.
type ridge struct {
	strength float64 // factor of the squared norm of the layer's weights
	mean     float64 // squared length of the mean node in the input
}

// usualRidge holds the settings of a RidgeHead.
var usualRidge = ridge{strength: 0.3, mean: 1}

// Fit implements Classifier. All examples must have the same number of nodes. Fit reuses the
// products of earlier examples.
func (r *RidgeHead) Fit(classes []Class) error {
	known := make(map[*embed.Set]int, len(r.examples))
	for i, e := range r.examples[:len(r.gram)] {
		known[e.set] = i
	}
	before, gram := r.examples, r.gram
	r.forget()
	if err := Check(classes); err != nil {
		return err
	}
	first := classes[0].Support[0]
	r.nodes, r.channels = first.N, first.C
	places := make([][]int, len(classes))
	var kept []int     // the former indices of the earlier examples, which come first
	var fresh [][2]int // the classes of the others, and their indices in the class
	for c, class := range classes {
		places[c] = make([]int, len(class.Support))
		for i, set := range class.Support {
			at, ok := known[set]
			if !ok || r.fits(set) != nil {
				fresh = append(fresh, [2]int{c, i})
				continue
			}
			delete(known, set) // each occurrence of a set has its own input
			places[c][i] = len(kept)
			kept, r.examples = append(kept, at), append(r.examples, ridgeExample{c, before[at].ridgeInput})
		}
	}
	for i, at := range kept {
		row := newProducts(i + 1)
		for j, other := range kept[:i+1] {
			from, to := gram[max(at, other)], min(at, other)
			row.nodes[j], row.mean[j] = from.nodes[to], from.mean[to]
		}
		r.gram = append(r.gram, row)
	}
	for _, place := range fresh {
		c, i := place[0], place[1]
		example := ridgeExample{class: c}
		if err := r.read(&example, classes[c].Support[i]); err != nil {
			r.forget()
			return exampleError(classes[c], i, err)
		}
		places[c][i] = len(r.examples)
		r.examples = append(r.examples, example)
	}
	r.classes = places
	return nil
}

func newProducts(n int) products {
	return products{nodes: make([]float64, n), mean: make([]float64, n)}
}

// forget removes the classes and the layer.
func (r *RidgeHead) forget() {
	r.classes, r.examples, r.gram, r.layer = nil, nil, nil, nil
	r.stale = true
}

// Traits implements Classifier. There are no optional operations.
func (r *RidgeHead) Traits() Traits { return Traits{} }

// fork returns a copy. extend of either does not change the other.
func (r *RidgeHead) fork() RidgeHead {
	fork := *r
	fork.classes = slices.Clone(r.classes)
	for i, members := range fork.classes {
		fork.classes[i] = slices.Clip(members)
	}
	fork.examples, fork.gram = slices.Clip(r.examples), slices.Clip(r.gram)
	return fork
}

// extend is Extender.Extend for an example that Prototype has admitted, without a new layer.
func (r *RidgeHead) extend(class int, example *embed.Set) error {
	e := ridgeExample{class: class}
	if err := r.read(&e, example); err != nil {
		return fmt.Errorf("fewshot: new example: %w", err)
	}
	if class == len(r.classes) {
		r.classes = append(r.classes, nil)
	}
	r.classes[class] = append(r.classes[class], len(r.examples))
	r.examples = append(r.examples, e)
	return nil
}

// read computes the input of an example, a valid set with the channels of the others.
func (r *RidgeHead) read(e *ridgeExample, set *embed.Set) error {
	if err := r.fits(set); err != nil {
		return err
	}
	return e.reset(set)
}

// fits returns an error if a set has another number of nodes than the first.
func (r *RidgeHead) fits(set *embed.Set) error {
	if set.N != r.nodes {
		return fmt.Errorf("%w: number of nodes %d, the first has %d: use one embedder, or the nearest classifier", ErrMixed, set.N, r.nodes)
	}
	return nil
}

// Scores implements Classifier.
func (r *RidgeHead) Scores(dst []float64, query *embed.Set) ([]float64, error) {
	if r.classes == nil {
		return nil, ErrUnfitted
	}
	if err := r.Learn(nil); err != nil {
		return nil, err
	}
	return r.scores(dst, r.layer, query)
}

// scores returns the scores of a query by the given layer.
func (r *RidgeHead) scores(dst []float64, by *ridgeLayer, query *embed.Set) ([]float64, error) {
	if err := query.Check(); err != nil {
		return nil, fmt.Errorf("fewshot: query: %w", err)
	}
	if query.N != by.nodes {
		return nil, fmt.Errorf("fewshot: query: %w: number of nodes %d, examples have %d: use one embedder, or the nearest classifier", ErrMixed, query.N, by.nodes)
	}
	if err := CheckChannels(query, by.channels); err != nil {
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

// without returns the row of an example in the scores of all left-out examples: the scores,
// [classes], from a layer learned from the examples outside its part.
func (r *RidgeHead) without(left []float64, class, example int) []float64 {
	way := len(r.classes)
	return left[r.classes[class][example]*way:][:way]
}
