package fewshot

import (
	"cmp"
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
	// Order, [Passes][examples], is the order of the examples in each pass, numbered from 0 in
	// the order of their classes. If it is nil, each pass has its own, fixed random order.
	Order [][]int
}

// Or returns the settings, with defaults for zero fields.
func (d Descent) Or(own Descent) Descent {
	if d.Rate == 0 {
		d.Rate, d.Momentum, d.Dampening, d.Decay = own.Rate, own.Momentum, own.Dampening, own.Decay
	}
	d.Batch, d.Passes = cmp.Or(d.Batch, own.Batch), cmp.Or(d.Passes, own.Passes)
	return d
}

// check returns an error for the first setting that is invalid for n examples.
func (d Descent) check(n int) error {
	switch {
	case !(d.Rate > 0):
		return fmt.Errorf("fewshot: learning rate %g: want a positive one", d.Rate)
	case d.Batch < 1 || d.Passes < 0:
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

// Run calls step with the examples of every batch, numbered from 0 to n−1. It returns an error for
// the first invalid setting, and the errors of step, which end it.
func (d Descent) Run(n int, step func(pass int, batch []int) error) error {
	if err := d.check(n); err != nil {
		return err
	}
	for pass := range d.Passes {
		order := rand.New(rand.NewPCG(0, uint64(pass))).Perm(n)
		if d.Order != nil {
			order = d.Order[pass]
		}
		for batch := range slices.Chunk(order, d.Batch) {
			if err := step(pass, batch); err != nil {
				return err
			}
		}
	}
	return nil
}

// Loss is the mean cross-entropy of the examples, which gives all classes the same total weight. It
// holds the weight of each class's examples; their mean over all examples is 1.
type Loss []float64

// NewLoss returns the loss of a support set.
func NewLoss(classes []Class) Loss {
	total := 0
	for _, class := range classes {
		total += len(class.Support)
	}
	loss := make(Loss, len(classes))
	for i, class := range classes {
		loss[i] = float64(total) / float64(len(classes)*len(class.Support))
	}
	return loss
}

// Slopes replaces the logits of an example of the given class by their derivatives of the mean loss
// of a batch of n examples.
func (l Loss) Slopes(logits []float64, class, n int) {
	weight := l[class] / float64(n)
	Softmax(logits, logits)
	logits[class]--
	for i := range logits {
		logits[i] *= weight
	}
}
