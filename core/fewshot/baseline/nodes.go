package baseline

import (
	"fmt"
	"math"
	"slices"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/fewshot"
	"github.com/deepemd/deepemd/core/match"
)

// onNodes classifies an image by the cosines of its nodes, without centering. Examples may have
// different numbers of nodes.
type onNodes struct {
	plain

	learn func(classes []fewshot.Class) ([]*match.Prepared, error)
	score func(n *onNodes, dst []float64) // of n.query

	way     int
	learned []*match.Prepared // nil before Fit
	query   match.Prepared
	cosines match.Cosines
}

// Fit implements fewshot.Classifier.
func (n *onNodes) Fit(classes []fewshot.Class) (err error) {
	n.learned, n.way = nil, len(classes)
	if err := fewshot.Check(classes); err != nil {
		return err
	}
	n.learned, err = n.learn(classes)
	return err
}

// Scores implements fewshot.Classifier.
func (n *onNodes) Scores(dst []float64, query *embed.Set) ([]float64, error) {
	if n.learned == nil {
		return nil, fewshot.ErrUnfitted
	}
	n.query.Raw = true
	if err := n.query.Reset(query); err != nil {
		return nil, fmt.Errorf("fewshot: query: %w", err)
	}
	if err := fewshot.CheckChannels(query, n.learned[0].C()); err != nil {
		return nil, err
	}
	dst = slices.Grow(dst[:0], n.way)[:n.way]
	n.score(n, dst)
	return dst, nil
}

// uncentered prepares a set that many queries are compared with.
func uncentered(set *embed.Set) (*match.Prepared, error) {
	prepared := &match.Prepared{Raw: true}
	if err := prepared.Reset(set); err != nil {
		return nil, err
	}
	prepared.Pack()
	return prepared, nil
}

// neighbors is the maximum number of nearest nodes of LocalNearest.
const neighbors = 3

// LocalNearest returns DN4 (Li et al., "Revisiting Local Descriptor based Image-to-Class Measure
// for Few-shot Learning", 2019). For every node of the query, it finds the three nodes with the
// highest cosine among all examples of a class. The class's score is the temperature times the mean
// cosine, where the paper has the sum. Repeating an example increases the score of its class.
func LocalNearest(temperature float64) fewshot.Classifier {
	return &onNodes{learn: func(classes []fewshot.Class) (learned []*match.Prepared, err error) {
		for _, class := range classes {
			nodes, err := uncentered(union(class))
			if err != nil {
				return nil, fewshot.ClassError(new(match.Matcher), class, err)
			}
			learned = append(learned, nodes)
		}
		return learned, nil
	}, score: func(n *onNodes, dst []float64) {
		var best [neighbors]float32
		for i, class := range n.learned {
			k := min(neighbors, class.N())
			cosines, stride := n.cosines.Of(&n.query, class)
			var sum float64
			for node := range n.query.N() {
				sum += largest(best[:k], cosines[node*stride:][:class.N()])
			}
			dst[i] = temperature * sum / float64(n.query.N()*k)
		}
	}}
}

// largest returns the sum of the len(best) largest values. It overwrites best.
func largest(best, values []float32) (sum float64) {
	copy(best, values)
	slices.Sort(best)
	for _, v := range values[len(best):] {
		if v <= best[0] {
			continue
		}
		at := 1
		for ; at < len(best) && best[at] < v; at++ {
			best[at-1] = best[at]
		}
		best[at-1] = v
	}
	for _, v := range slices.Backward(best) {
		sum += float64(v)
	}
	return sum
}

// PredictionFusion returns a classifier of every node of the query, which averages the predictions
// (Lifchitz et al., "Dense Classification and Implanting for Few-Shot Learning", 2019). A node's
// probabilities are the softmax of the temperature times its cosines with the classes' mean
// features. A class's score is the logarithm of its mean probability over all nodes.
func PredictionFusion(temperature float64) fewshot.Classifier {
	var each []float64
	return &onNodes{learn: func(classes []fewshot.Class) ([]*match.Prepared, error) {
		support, err := meanNodes(classes)
		if err != nil {
			return nil, err
		}
		means := &embed.Set{N: len(classes), C: len(support[0][0])}
		for _, nodes := range support {
			for _, v := range centroid(nodes) {
				means.Data = append(means.Data, float32(v))
			}
		}
		prepared, err := uncentered(means)
		if err != nil {
			return nil, fmt.Errorf("fewshot: means of classes: %w", err)
		}
		return []*match.Prepared{prepared}, nil
	}, score: func(n *onNodes, dst []float64) {
		clear(dst)
		each = slices.Grow(each[:0], len(dst))[:len(dst)]
		cosines, stride := n.cosines.Of(&n.query, n.learned[0])
		for node := range n.query.N() {
			for i, c := range cosines[node*stride:][:len(dst)] {
				each[i] = temperature * float64(c)
			}
			for i, probability := range fewshot.Softmax(each, each) {
				dst[i] += probability / float64(n.query.N())
			}
		}
		for i, probability := range dst {
			dst[i] = math.Log(max(probability, math.SmallestNonzeroFloat64))
		}
	}}
}
