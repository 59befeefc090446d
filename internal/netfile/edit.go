package netfile

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/deepemd/deepemd/core/openset"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/backbone"
)

// Average replaces every weight of n, including the statistics of normalizations, with the mean of
// both networks; f, which errors call name, must have the same shape. An average of a network and its
// further trained version is often better than both (Wortsman et al., "Robust Fine-tuning of Zero-shot
// Models", 2022).
//
// # Errors
//
// The errors of [Complete]; a network with other widths, another number of blocks or another
// normalization. The result has no prior for unknown images.
func (n *Network) Average(name string, f *weights.File) error {
	other, err := Complete(f, name, Facts{}, true)
	if err != nil {
		return err
	}
	other.File = other.Widened()
	m, o := &n.Meta, other.Meta
	if !slices.Equal(o.Widths, m.Widths) {
		return fmt.Errorf("%s: widths %v, want %v as in %s", name, o.Widths, m.Widths, n.Source)
	}
	if o.Mean != m.Mean || o.Std != m.Std {
		return fmt.Errorf("%s: its inputs have mean %v and standard deviation %v, those of %s %v and %v: want equal ones",
			name, o.Mean, o.Std, n.Source, m.Mean, m.Std)
	}
	for _, tensor := range slices.Sorted(maps.Keys(other.Tensors)) {
		if strings.HasPrefix(tensor, prefix) && n.Tensors[tensor] == nil {
			return fmt.Errorf("%s: it has the tensor %s, which %s lacks: want a network of the same shape", name, tensor, n.Source)
		}
	}
	delete(m.Extra, openset.PriorKey) // the features change
	for tensor, t := range n.Tensors {
		theirs, err := other.Tensor(tensor, t.Shape...)
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

// Union returns the sorted union of two lists, or nil if it is empty.
func Union(a, b []string) []string {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}

// row describes how an architecture numbers its consecutive parts.
type row struct {
	before string // prefix of a part's tensors, before its number
	first  int
	part   string // for error messages
}

var rows = map[string]row{
	backbone.ArchMobileNet: {prefix + "features.", 1, "block"},
	backbone.ArchResNet:    {prefix + "layer", 1, "stage"},
	backbone.ArchViT:       {prefix + "blocks.", 0, "block"},
}

// cut removes everything after a stage of a ResNet, or after a block of a MobileNet or vision
// transformer, counted from 1. The network's output is then that part's output. A transformer keeps
// its last normalization.
//
// It returns an error for a number that does not exist.
func (f *namedNetwork) cut(last int) error {
	r := rows[f.Arch]
	count := 0
	numbers := map[string]int{} // by tensor, starting with 1
	for name := range f.Tensors {
		var number int
		rest := strings.TrimPrefix(name, r.before)
		rest = strings.TrimPrefix(strings.TrimPrefix(rest, "dw"), "pw") // a block of a MobileNet v1 is dw1 and pw1
		if _, err := fmt.Sscanf(rest, "%d.", &number); err == nil {
			numbers[name] = number - r.first + 1
			count = max(count, numbers[name])
		}
	}
	if f.Arch == backbone.ArchMobileNet && f.Tensors[fmt.Sprintf("%s%d.0.weight", r.before, count)] != nil {
		count-- // the last convolution is not a block
	}
	if last < 1 || last > count {
		return fmt.Errorf("%s has %d %ss, and no %s %d", f.Program, count, r.part, r.part, last)
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
		return f.setWidth(last)
	}
	return nil
}
