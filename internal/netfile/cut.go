package netfile

import (
	"fmt"
	"strings"

	"github.com/deepemd/deepemd/internal/backbone"
)

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
