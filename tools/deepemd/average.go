package main

import (
	"fmt"
	"slices"
)

// average makes every weight of f, statistics of normalisation included, the mean of
// its own and that of the network at path, which has the same shape: between a
// network and what further training made of it there often is one that is better
// than both (Wortsman et al., "Robust Fine-tuning of Zero-shot Models", 2022).
func (f *imported) average(path string) error {
	other, err := readInit(path)
	if err != nil {
		return fmt.Errorf("--average: %w", err)
	}
	if !slices.Equal(other.Meta.Widths, f.Meta.Widths) {
		return fmt.Errorf("--average %s: widths %v, want %v as of %s", path, other.Meta.Widths, f.Meta.Widths, f.Source)
	}
	if other.Meta.Mean != f.Meta.Mean || other.Meta.Std != f.Meta.Std {
		return fmt.Errorf("--average %s: it is for pictures of mean %v and standard deviation %v, %s for %v and %v",
			path, other.Meta.Mean, other.Meta.Std, f.Source, f.Meta.Mean, f.Meta.Std)
	}
	for name, t := range f.Tensors {
		o, err := other.Tensor(name, t.Shape...)
		if err != nil {
			return fmt.Errorf("--average: %w", err)
		}
		for i, v := range o.Data {
			t.Data[i] = (t.Data[i] + v) / 2
		}
	}
	f.Meta.Classes = union(f.Meta.Classes, other.Meta.Classes)
	return nil
}
