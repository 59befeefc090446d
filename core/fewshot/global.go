package fewshot

import (
	"fmt"
	"math"

	"deepemd/core/embed"
	"deepemd/core/match"
)

// Global forgets where things are: a picture is the mean of its nodes, a class
// the mean of its examples' means, and a query is scored by how near the two are.
// It is what local matching has to better: image-level prototypes (Snell et al.,
// 2017) and their cosine form.
//
// The zero value scores by cosine.
type Global struct {
	// Euclidean scores by the negative squared distance, not by the cosine.
	Euclidean bool
	// Temperature multiplies the scores; 0 is 1.
	Temperature float64

	prototypes [][]float64
	query      []float64
}

// Fit implements Classifier. Examples may have different numbers of nodes.
func (g *Global) Fit(classes []Class) error {
	g.prototypes = nil
	if err := checkSupport(classes); err != nil {
		return err
	}
	prototypes := make([][]float64, len(classes))
	for i, class := range classes {
		prototypes[i] = make([]float64, class.Support[0].C)
		for j, set := range class.Support {
			mean, err := meanNode(nil, set)
			if err != nil {
				return exampleError(class, j, err)
			}
			for c, v := range mean {
				prototypes[i][c] += v / float64(len(class.Support))
			}
		}
	}
	g.prototypes = prototypes
	return nil
}

// Scores implements Classifier.
func (g *Global) Scores(dst []float64, query *embed.Set) ([]float64, error) {
	if g.prototypes == nil {
		return nil, errUnfitted()
	}
	var err error
	if g.query, err = meanNode(g.query, query); err != nil {
		return nil, fmt.Errorf("fewshot: query: %w", err)
	}
	if len(g.query) != len(g.prototypes[0]) {
		return nil, fmt.Errorf("fewshot: query: %w: %d channels, examples have %d: embed all with the same weights", match.ErrChannels, len(g.query), len(g.prototypes[0]))
	}
	temperature := g.Temperature
	if temperature == 0 {
		temperature = 1
	}
	dst = grow(dst, len(g.prototypes))
	for i, prototype := range g.prototypes {
		dst[i] = temperature * g.similarity(g.query, prototype)
	}
	return dst, nil
}

func (g *Global) similarity(a, b []float64) float64 {
	var ab, aa, bb, distance float64
	for i, v := range a {
		w := b[i]
		ab, aa, bb = ab+v*w, aa+v*v, bb+w*w
		distance += (v - w) * (v - w)
	}
	switch {
	case g.Euclidean:
		return -distance
	case aa == 0 || bb == 0: // nothing has no direction
		return 0
	}
	return ab / math.Sqrt(aa*bb)
}

// meanNode is the mean of a set's nodes, in the memory of dst where it is enough.
func meanNode(dst []float64, set *embed.Set) ([]float64, error) {
	if err := set.Check(); err != nil {
		return nil, err
	}
	dst = grow(dst, set.C)
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
