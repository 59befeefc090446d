package netfile

import (
	"fmt"
	"slices"

	"github.com/deepemd/deepemd/core/openset"
)

// Average makes every weight of n, statistics of normalisation included, the mean of
// its own and that of the network at path, which has the same shape: between a
// network and what further training made of it there often is one that is better
// than both (Wortsman et al., "Robust Fine-tuning of Zero-shot Models", 2022).
//
// # Errors
//
// Those of [Read]; a network of other widths or another normalisation. A cohort is left out.
func (n *Network) Average(path string) error {
	other, err := Read(path, path, Facts{}, false)
	if err != nil {
		return err
	}
	m, o := &n.Meta, other.Meta
	if !slices.Equal(o.Widths, m.Widths) {
		return fmt.Errorf("%s: widths %v, want %v as of %s", path, o.Widths, m.Widths, n.Source)
	}
	if o.Mean != m.Mean || o.Std != m.Std {
		return fmt.Errorf("%s: it is for pictures of mean %v and standard deviation %v, %s for %v and %v",
			path, o.Mean, o.Std, n.Source, m.Mean, m.Std)
	}
	delete(n.Tensors, openset.CohortTensor) // the features are others
	for name, t := range n.Tensors {
		theirs, err := other.Tensor(name, t.Shape...)
		if err != nil {
			return err
		}
		for i, v := range theirs.Data {
			t.Data[i] = (t.Data[i] + v) / 2
		}
	}
	m.Classes = Union(m.Classes, o.Classes)
	m.Assumed = Union(m.Assumed, o.Assumed)
	return nil
}

// Union returns the texts that are in either list, in order, each once; nil for none.
func Union(a, b []string) []string {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}
