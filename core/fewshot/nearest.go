package fewshot

import (
	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/match"
)

// Nearest scores a class by the best match of the query with one of its examples (EMD+NN in
// the paper's k-shot figure). Examples may have different numbers of nodes.
//
// The zero value is ready for use.
type Nearest struct {
	// Matcher matches queries with examples. Its settings may change until Fit.
	Matcher match.Matcher
	// Skip skips classes that cannot win, as in Prototype. (Nearest always skips examples
	// that cannot be the best of their class.)
	Skip bool

	supports supports
}

// Fit implements Classifier.
func (n *Nearest) Fit(classes []Class) (err error) {
	n.supports.sets, err = Prepare(&n.Matcher, classes, func(class Class) ([]*embed.Set, error) { return class.Support, nil })
	return err
}

// Scores implements Classifier.
func (n *Nearest) Scores(dst []float64, query *embed.Set) ([]float64, error) {
	return n.supports.best(&n.Matcher, dst, query, n.Skip, nil)
}

// Traits implements Classifier.
func (n *Nearest) Traits() Traits { return Traits{Extender: n, Detailer: n} }

// Detail implements Detailer. All scores are exact unless Skip is set.
func (n *Nearest) Detail(d *Detail, query *embed.Set) (err error) {
	d.Scores, err = n.Scores(d.Scores, query)
	d.Bounded, d.Match, d.Head = append(d.Bounded[:0], n.supports.bounded...), d.Match[:0], d.Head[:0]
	return err
}

// Fork implements Extender.
func (n *Nearest) Fork() Classifier {
	fork := *n
	fork.supports = n.supports.fork()
	return &fork
}

// Extend implements Extender.
func (n *Nearest) Extend(class int, example *embed.Set) error {
	prepared, err := n.supports.admit(&n.Matcher, class, example)
	if err != nil {
		return err
	}
	if class == len(n.supports.sets) {
		n.supports.sets = append(n.supports.sets, nil)
	}
	n.supports.sets[class] = append(n.supports.sets[class], prepared)
	return nil
}
