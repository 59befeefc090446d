package fewshot

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// Descent is stochastic gradient descent on the support set, as PyTorch's SGD:
// a batch's mean gradient g, with Decay·w added, changes the velocity
// v ← Momentum·v + (1 − Dampening)·g, which is g itself in the first step, and
// w ← w − Rate·v.
//
// In the zero value every setting is the classifier's own: see its comment.
type Descent struct {
	// Rate is the learning rate. 0 stands for the classifier's own rate, momentum,
	// dampening and decay.
	Rate, Momentum, Dampening, Decay float64
	// Batch is how many examples make a step, Passes how often each is used; the
	// last batch of a pass may be smaller. 0 stands for the classifier's own.
	Batch, Passes int
	// Seed seeds the order in which each pass takes the examples.
	Seed uint64
	// Order, unless nil, gives that order for each pass: numbers of examples,
	// counted through the first class, then the second, and so on.
	Order [][]int
}

// or returns the settings with another's where there are none.
func (d Descent) or(own Descent) Descent {
	if d.Rate == 0 {
		d.Rate, d.Momentum, d.Dampening, d.Decay = own.Rate, own.Momentum, own.Dampening, own.Decay
	}
	if d.Batch == 0 {
		d.Batch = own.Batch
	}
	if d.Passes == 0 {
		d.Passes = own.Passes
	}
	return d
}

// check returns an error that names the first setting that is invalid for n
// examples.
func (d Descent) check(n int) error {
	switch {
	case !(d.Rate > 0):
		return fmt.Errorf("fewshot: learning rate %g: want a positive one", d.Rate)
	case d.Batch < 0 || d.Passes < 0:
		return fmt.Errorf("fewshot: %d passes in batches of %d: want positive numbers", d.Passes, d.Batch)
	case d.Order != nil && len(d.Order) != d.Passes:
		return fmt.Errorf("fewshot: an order for %d passes of %d: give one for each", len(d.Order), d.Passes)
	}
	for i, order := range d.Order {
		for _, example := range order {
			if example < 0 || example >= n {
				return fmt.Errorf("fewshot: order of pass %d has example %d: there are %d, numbered from 0", i+1, example, n)
			}
		}
	}
	return nil
}

// order returns the order of a pass, numbered from 0, over n examples.
func (d Descent) order(pass, n int) []int {
	if d.Order != nil {
		return d.Order[pass]
	}
	return rand.New(rand.NewPCG(d.Seed, uint64(pass))).Perm(n)
}

// batches returns a pass's batches.
func (d Descent) batches(pass, n int) [][]int {
	return slices.Collect(slices.Chunk(d.order(pass, n), d.Batch))
}

// velocity is the state of a descent.
type velocity struct{ values []float64 }

// step changes weights by the mean gradient of a batch, in whose place it leaves
// the gradient with its decay.
func (v *velocity) step(d Descent, weights, gradient []float64) {
	for i, w := range weights {
		gradient[i] += d.Decay * w
	}
	if v.values == nil {
		v.values = slices.Clone(gradient)
	} else {
		for i, g := range gradient {
			v.values[i] = d.Momentum*v.values[i] + (1-d.Dampening)*g
		}
	}
	for i, change := range v.values {
		weights[i] -= d.Rate * change
	}
}

// slopes turns logits into the derivatives of the cross-entropy by them, times
// weight, for an example of the given class, in place.
func slopes(logits []float64, class int, weight float64) {
	Softmax(logits, logits)
	logits[class]--
	for i := range logits {
		logits[i] *= weight
	}
}

// balance returns the weight of each class's examples in the loss: 1 where classes
// have the same number of examples, and such that all classes weigh the same.
func balance(classes []Class) []float64 {
	total := 0
	for _, class := range classes {
		total += len(class.Support)
	}
	weights := make([]float64, len(classes))
	for i, class := range classes {
		weights[i] = float64(total) / float64(len(classes)*len(class.Support))
	}
	return weights
}
