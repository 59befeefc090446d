package fewshot

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// Descent configures stochastic gradient descent on the support set, as in PyTorch's SGD.
// With the mean gradient g of a batch, plus Decay·w, a step is
// v ← Momentum·v + (1 − Dampening)·g, or v ← g in the first step, then w ← w − Rate·v.
//
// A zero field uses the classifier's default, which its comment documents.
type Descent struct {
	// Rate is the learning rate. If it is 0, the classifier's defaults replace all four
	// fields.
	Rate, Momentum, Dampening, Decay float64
	// Batch is the number of examples per step; the last batch of a pass may be smaller.
	// Passes is the number of passes over the examples.
	Batch, Passes int
	// Seed seeds the random order of the examples in each pass.
	Seed uint64
	// Order, [Passes][examples], replaces the random order unless it is nil. Examples are
	// numbered from 0 in the order of their classes.
	Order [][]int
}

// or returns the settings, with defaults for zero fields.
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

// check returns an error for the first setting that is invalid for n examples.
func (d Descent) check(n int) error {
	switch {
	case !(d.Rate > 0):
		return fmt.Errorf("fewshot: learning rate %g: want a positive one", d.Rate)
	case d.Batch < 0 || d.Passes < 0:
		return fmt.Errorf("fewshot: %d passes in batches of %d: want positive numbers", d.Passes, d.Batch)
	case d.Order != nil && len(d.Order) != d.Passes:
		return fmt.Errorf("fewshot: %d orders for %d passes: give one for each pass", len(d.Order), d.Passes)
	}
	for i, order := range d.Order {
		for _, example := range order {
			if example < 0 || example >= n {
				return fmt.Errorf("fewshot: the order of pass %d has example %d: want 0 to %d", i+1, example, n-1)
			}
		}
	}
	return nil
}

// order returns the order of n examples in a pass, numbered from 0.
func (d Descent) order(pass, n int) []int {
	if d.Order != nil {
		return d.Order[pass]
	}
	return rand.New(rand.NewPCG(d.Seed, uint64(pass))).Perm(n)
}

// batches returns the batches of a pass over n examples.
func (d Descent) batches(pass, n int) [][]int {
	return slices.Collect(slices.Chunk(d.order(pass, n), d.Batch))
}

// velocity is the state of a descent.
type velocity struct{ values []float64 }

// step updates weights with the mean gradient of a batch. It adds the decay to gradient.
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

// slopes replaces the logits of an example of the given class by the derivatives of its
// cross-entropy with respect to the logits, times weight.
func slopes(logits []float64, class int, weight float64) {
	Softmax(logits, logits)
	logits[class]--
	for i := range logits {
		logits[i] *= weight
	}
}

// balance returns the loss weight of each class's examples, which gives all classes the same
// total weight. The mean weight over examples is 1.
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
