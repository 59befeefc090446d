package arrays

import (
	"errors"
	"fmt"
	"math"

	dense "gorgonia.org/tensor"

	"github.com/deepemd/deepemd/core/embed"
)

// Features gathers the local embeddings of pictures in one array
// [pictures, nodes, C], in the order of names.
//
// # Errors
//
// No names; a picture that has no features, or others than the first one in
// number of nodes or channels.
func Features(features map[string]*embed.Set, names []string) (*dense.Dense, error) {
	if len(names) == 0 {
		return nil, errors.New("no pictures to gather features of")
	}
	var nodes, channels int
	var values []float32
	for i, name := range names {
		set := features[name]
		if set == nil {
			return nil, fmt.Errorf("%s: no features: extract them first", name)
		}
		if err := set.Check(); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if i == 0 {
			nodes, channels = set.N, set.C
			values = make([]float32, 0, len(names)*nodes*channels)
		}
		if set.N != nodes || set.C != channels {
			return nil, fmt.Errorf("%s: %d nodes of %d channels, %s has %d of %d: features of one network fit in an array", name, set.N, set.C, names[0], nodes, channels)
		}
		values = append(values, set.Data...)
	}
	return over(values, len(names), nodes, channels)
}

// Sets returns an array [pictures, nodes, C] as the features of pictures of those
// names. The sets lie over the array's memory, and their nodes have no regions.
//
// # Errors
//
// Another shape, another number of names, a name given twice, values that are not
// finite or the same in every channel, and the arrays that [Tensor] refuses.
func Sets(d *dense.Dense, names []string) (map[string]*embed.Set, error) {
	t, err := Tensor(d)
	if err != nil {
		return nil, err
	}
	if !t.HasShape(len(names), -1, -1) {
		return nil, fmt.Errorf("an array of shape %v for %d names, want [pictures nodes channels]", t.Shape, len(names))
	}
	features := make(map[string]*embed.Set, len(names))
	for i, name := range names {
		if features[name] != nil {
			return nil, fmt.Errorf("%s is named twice", name)
		}
		for _, v := range t.Row(i) {
			if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
				return nil, fmt.Errorf("%s: a feature is %v: want finite values", name, v)
			}
		}
		set := &embed.Set{N: t.Shape[1], C: t.Shape[2], Data: t.Row(i)}
		if err := set.Check(); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if set.Flat() {
			return nil, fmt.Errorf("%s: %w", name, embed.ErrFlat)
		}
		features[name] = set
	}
	return features, nil
}
