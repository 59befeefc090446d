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

	gallery gallery
}

// Fit implements Classifier.
func (n *Nearest) Fit(classes []Class) error {
	return n.gallery.fill(&n.Matcher, classes, examples)
}

// Scores implements Classifier.
func (n *Nearest) Scores(dst []float64, query *embed.Set) ([]float64, error) {
	return n.gallery.best(&n.Matcher, dst, query, n.Skip)
}

// Bounded reports, for each class, whether its latest score is only an upper bound:
// never without Skip. It must not be modified.
func (n *Nearest) Bounded() []bool { return n.gallery.bounded }

// Extend implements Extender.
func (n *Nearest) Extend(class int, example *embed.Set) error {
	prepared, err := n.gallery.admit(&n.Matcher, class, example)
	if err != nil {
		return err
	}
	if class == len(n.gallery.sets) {
		n.gallery.sets = append(n.gallery.sets, nil)
	}
	n.gallery.sets[class] = append(n.gallery.sets[class], prepared)
	return nil
}
