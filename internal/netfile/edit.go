package netfile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/deepemd/deepemd/core/openset"
	"github.com/deepemd/deepemd/internal/backbone"
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

// row says how an architecture numbers the parts that follow each other.
type row struct {
	before string // what the names of a part's tensors begin with, before its number
	first  int    // the number of the first part
	part   string // for people
}

var rows = map[string]row{
	backbone.ArchMobileNet: {prefix + "features.", 1, "block"},
	backbone.ArchResNet:    {prefix + "layer", 1, "stage"},
	backbone.ArchViT:       {prefix + "blocks.", 0, "block"},
}

// cut leaves out what comes behind a stage of a ResNet, or behind a block of a MobileNet
// or of a vision transformer, counted from 1: the map that leaves it becomes the network's.
// A transformer keeps its last normalisation.
//
// It returns an error for a stage or block that is not there, which says how many are.
func (f *namedNetwork) cut(last int) error {
	r := rows[f.Arch]
	count := 0
	numbers := map[string]int{} // by tensor, counted from 1
	for name := range f.Tensors {
		var number int
		rest, ok := strings.CutPrefix(name, r.before)
		if !ok {
			continue
		}
		if _, err := fmt.Sscanf(rest, "%d.", &number); err == nil {
			numbers[name] = number - r.first + 1
			count = max(count, numbers[name])
		}
	}
	if f.Arch == backbone.ArchMobileNet && f.Tensors[fmt.Sprintf("%s%d.0.weight", r.before, count)] != nil {
		count-- // the last convolution is no block
	}
	if last < 1 || last > count {
		return fmt.Errorf("%s with %d %ss has no %s %d", f.Program, count, r.part, r.part, last)
	}
	if last == count {
		return nil
	}
	for name, number := range numbers {
		if number > last {
			delete(f.Tensors, name)
		}
	}
	switch f.Arch {
	case backbone.ArchResNet:
		f.Widths = f.Widths[:last]
	case backbone.ArchMobileNet:
		return f.leave(last)
	}
	return nil
}
