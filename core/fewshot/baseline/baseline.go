// Package baseline contains the classifiers that DeepEMD is compared with: the alternatives of the
// paper's k-shot figure, and methods of other papers for an image's mean node or its single nodes.
package baseline

import (
	"fmt"
	"math"
	"slices"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/fewshot"
	"github.com/deepemd/deepemd/core/match"
)

// plain is embedded by all classifiers, which have no optional operations.
type plain struct{}

// Traits implements fewshot.Classifier.
func (plain) Traits() fewshot.Traits { return fewshot.Traits{} }

// onMeans classifies an image by its mean node. Examples may have different numbers of nodes.
type onMeans struct {
	plain

	// learn learns from the mean nodes of the support, [classes][examples][C]. It returns the
	// function that writes the scores, [classes], of an image's mean node.
	learn func(classes []fewshot.Class, support [][][]float64) (func(dst, node []float64), error)

	score         func(dst, node []float64) // nil before Fit
	way, channels int
	query         []float64
}

// Fit implements fewshot.Classifier.
func (m *onMeans) Fit(classes []fewshot.Class) (err error) {
	m.score = nil
	support, err := meanNodes(classes)
	if err != nil {
		return err
	}
	m.way, m.channels = len(classes), len(support[0][0])
	m.score, err = m.learn(classes, support)
	return err
}

// Scores implements fewshot.Classifier.
func (m *onMeans) Scores(dst []float64, query *embed.Set) (_ []float64, err error) {
	if m.score == nil {
		return nil, fewshot.ErrUnfitted
	}
	if m.query, err = meanNode(m.query, query); err != nil {
		return nil, fmt.Errorf("fewshot: query: %w", err)
	}
	if err := fewshot.CheckChannels(query, m.channels); err != nil {
		return nil, err
	}
	dst = slices.Grow(dst[:0], m.way)[:m.way]
	m.score(dst, m.query)
	return dst, nil
}

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

// meanNodes returns the mean nodes of all examples, [classes][examples][C].
func meanNodes(classes []fewshot.Class) ([][][]float64, error) {
	if err := fewshot.Check(classes); err != nil {
		return nil, err
	}
	all := make([][][]float64, len(classes))
	for i, class := range classes {
		for _, set := range class.Support {
			node, err := meanNode(nil, set)
			if err != nil {
				return nil, fewshot.ClassError(new(match.Matcher), class, err)
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
