package fewshot

import (
	"slices"

	"github.com/deepemd/deepemd/core/embed"
)

// Global is the image-level baseline of local matching: prototypical networks (Snell et al.,
// 2017) and their cosine variant. It represents an image by the mean of its nodes and a
// class by the mean of its examples' means. The score is the similarity of the two.
//
// The zero value scores by cosine.
type Global struct {
	plain

	// Euclidean scores by the negative squared distance instead of the cosine.
	Euclidean bool
	// Centred subtracts the mean over channels from each vector, as DeepEMD does with
	// nodes. The cosine then equals the EMD of sets merged into one node.
	Centred bool
	// Temperature multiplies the scores; the default is 1.
	Temperature float64

	prototypes [][]float64
	query      []float64
}

// Fit implements Classifier. Examples may have different numbers of nodes.
func (g *Global) Fit(classes []Class) error {
	g.prototypes = nil
	examples, err := meanNodes(classes)
	if err != nil {
		return err
	}
	prototypes := make([][]float64, len(classes))
	for i, nodes := range examples {
		prototypes[i] = centroid(nodes)
		g.centre(prototypes[i])
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
	if g.query, err = queryNode(g.query, query, len(g.prototypes[0])); err != nil {
		return nil, err
	}
	g.centre(g.query)
	temperature := g.Temperature
	if temperature == 0 {
		temperature = 1
	}
	dst = slices.Grow(dst[:0], len(g.prototypes))[:len(g.prototypes)]
	for i, prototype := range g.prototypes {
		if g.Euclidean {
			dst[i] = -temperature * squaredDistance(g.query, prototype)
		} else {
			dst[i] = temperature * cosine(g.query, prototype)
		}
	}
	return dst, nil
}

func (g *Global) centre(v []float64) {
	if !g.Centred {
		return
	}
	mean := meanScore(v)
	for c := range v {
		v[c] -= mean
	}
}

func squaredDistance(a, b []float64) float64 {
	var sum float64
	for i, v := range a {
		sum += (v - b[i]) * (v - b[i])
	}
	return sum
}
