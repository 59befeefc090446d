package fewshot

import (
	"fmt"
	"math"
	"slices"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/match"
	"github.com/deepemd/deepemd/core/method"
)

// meanNode returns the mean of a set's nodes, [C]. It reuses the memory of dst.
func meanNode(dst []float64, set *embed.Set) ([]float64, error) {
	if err := set.Check(); err != nil {
		return nil, err
	}
	dst = slices.Grow(dst[:0], set.C)[:set.C]
	clear(dst)
	for n := range set.N {
		for c, v := range set.Node(n) {
			v := float64(v)
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, fmt.Errorf("node %d: %w: are the weights damaged?", n, match.ErrNotFinite)
			}
			dst[c] += v / float64(set.N)
		}
	}
	return dst, nil
}

// queryNode returns the mean node of a query, which must have the given number of channels.
func queryNode(dst []float64, query *embed.Set, channels int) ([]float64, error) {
	dst, err := meanNode(dst, query)
	if err != nil {
		return nil, fmt.Errorf("fewshot: query: %w", err)
	}
	if err := sameChannels(query, channels); err != nil {
		return nil, err
	}
	return dst, nil
}

// sameChannels returns an error if a query has a different number of channels.
func sameChannels(query *embed.Set, channels int) error {
	if query.C == channels {
		return nil
	}
	return fmt.Errorf("fewshot: query: %w: %d channels, examples have %d: embed all with the same weights", match.ErrChannels, query.C, channels)
}

// meanNodes returns the mean nodes of all examples, [classes][examples][C].
func meanNodes(classes []Class) ([][][]float64, error) {
	if err := checkSupport(classes); err != nil {
		return nil, err
	}
	all := make([][][]float64, len(classes))
	for i, class := range classes {
		for j, set := range class.Support {
			node, err := meanNode(nil, set)
			if err != nil {
				return nil, exampleError(class, j, err)
			}
			all[i] = append(all[i], node)
		}
	}
	return all, nil
}

// centroid returns the mean of vectors.
func centroid(vectors [][]float64) []float64 {
	m := make([]float64, len(vectors[0]))
	for _, v := range vectors {
		for c, x := range v {
			m[c] += x / float64(len(vectors))
		}
	}
	return m
}

// cosine returns the cosine of two vectors, 0 if either is zero.
func cosine(a, b []float64) float64 {
	var ab, aa, bb float64
	for i, v := range a {
		w := b[i]
		ab, aa, bb = ab+v*w, aa+v*v, bb+w*w
	}
	if aa == 0 || bb == 0 {
		return 0
	}
	return ab / math.Sqrt(aa*bb)
}

// normalise scales a vector to length 1. It does not change a zero vector.
func normalise(v []float64) {
	var square float64
	for _, x := range v {
		square += x * x
	}
	if square > 0 {
		scale := 1 / math.Sqrt(square)
		for i := range v {
			v[i] *= scale
		}
	}
}

// temperature returns t, or method.Temperature if t is 0.
func temperature(t float64) float64 {
	if t == 0 {
		return method.Temperature
	}
	return t
}
