package flags

import (
	"errors"
	"fmt"

	"github.com/spf13/pflag"

	"github.com/deepemd/deepemd/trainer/data"
)

// Part are the flags that select classes by a split.
type Part struct{ Split, Name string }

// Register adds the flags. The text otherwise describes the classes without --split.
func (p *Part) Register(f *pflag.FlagSet, otherwise string) {
	f.StringVar(&p.Split, "split", "", SplitHelp+" (default: "+otherwise+")")
	f.StringVar(&p.Name, "set", "test", "part of the split: train, val or test")
}

// Classes returns the classes of the part, or all classes of a set without a split. given reports
// whether a flag was set.
func (p *Part) Classes(set *data.Set, given func(flag string) bool) ([]string, error) {
	if split := set.Split(); split != nil {
		return split.Subset(p.Name)
	}
	if given("set") {
		return nil, ErrNoSplit
	}
	return set.Classes(), nil
}

// ErrNoSplit is the error for --set without a split.
var ErrNoSplit = errors.New("--set requires --split: give the file with the split")

// Sample are the flags that select images of a dataset.
type Sample struct {
	Part
	Each int
	Seed uint64
}

// Register adds the flags. The text otherwise describes the classes without --split.
func (s *Sample) Register(f *pflag.FlagSet, otherwise string) {
	s.Part.Register(f, otherwise)
	f.IntVar(&s.Each, "each", 0, "images per class, drawn with --seed (default: all)")
	f.Uint64Var(&s.Seed, "seed", 0, "seed of --each (default 0)")
}

// Choose returns images of the classes, and the indexes of their classes.
func (s *Sample) Choose(set *data.Set, classes []string) (names []string, labels []int, err error) {
	if err := set.Require(classes); err != nil {
		return nil, nil, err
	}
	if names, labels, err = set.Sample(classes, s.Each, s.Seed); err != nil {
		return nil, nil, fmt.Errorf("--each %d: %w", s.Each, err)
	}
	return names, labels, nil
}
