package fewshot

import (
	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/match"
)

// Nearest scores a class by the best match of the query with any one of its
// examples (EMD+NN in the paper's k-shot figure). Examples need not have the
// same number of nodes.
//
// The zero value is ready for use.
type Nearest struct {
	// Matcher matches queries with examples; its settings may be changed until
	// Fit.
	Matcher match.Matcher
	// Skip leaves out classes that cannot win, as in Prototype. (Examples that
	// cannot be the best of their class are always left out.)
	Skip bool

	supports supports
}

// Fit implements Classifier.
func (n *Nearest) Fit(classes []Class) error {
	return n.supports.prepare(&n.Matcher, classes, examples)
}

// Scores implements Classifier.
func (n *Nearest) Scores(dst []float64, query *embed.Set) ([]float64, error) {
	return n.supports.best(&n.Matcher, dst, query, n.Skip, nil)
}

// Bounded reports, for each class, whether its latest score is only an upper bound:
// never without Skip. It must not be modified.
func (n *Nearest) Bounded() []bool { return n.supports.bounded }

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
