package fewshot

import (
	"fmt"
	"math"
	"slices"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/match"
)

// PredictionFusion classifies every node of the query separately and averages the
// predictions (Lifchitz et al., "Dense Classification and Implanting for Few-Shot Learning",
// 2019). A node's probabilities are the softmax of T times its cosines with the classes' mean
// features. A class's score is the logarithm of its mean probability over all nodes.
//
// The zero value is ready for use.
type PredictionFusion struct {
	plain

	// Temperature is T; the default is method.Temperature.
	Temperature float64

	means   *match.Prepared // [classes, C]
	query   match.Prepared
	cosines match.Cosines
	each    []float64 // probabilities of one node
}

// Fit implements Classifier. Examples may have different numbers of nodes.
func (p *PredictionFusion) Fit(classes []Class) error {
	p.means = nil
	examples, err := meanNodes(classes)
	if err != nil {
		return err
	}
	means := &embed.Set{N: len(classes), C: len(examples[0][0])}
	for _, nodes := range examples {
		for _, v := range centroid(nodes) {
			means.Data = append(means.Data, float32(v))
		}
	}
	prepared := &match.Prepared{Raw: true}
	if err := prepared.Reset(means); err != nil {
		return fmt.Errorf("fewshot: means of classes: %w", err)
	}
	prepared.Pack()
	p.means = prepared
	return nil
}

// Scores implements Classifier.
func (p *PredictionFusion) Scores(dst []float64, query *embed.Set) ([]float64, error) {
	if p.means == nil {
		return nil, errUnfitted()
	}
	p.query.Raw = true
	if err := p.query.Reset(query); err != nil {
		return nil, fmt.Errorf("fewshot: query: %w", err)
	}
	if err := sameChannels(query, p.means.C()); err != nil {
		return nil, err
	}
	way := p.means.N()
	dst = slices.Grow(dst[:0], way)[:way]
	clear(dst)
	p.each = slices.Grow(p.each[:0], way)[:way]
	cosines, stride := p.cosines.Of(&p.query, p.means)
	for n := range query.N {
		for i, c := range cosines[n*stride:][:way] {
			p.each[i] = temperature(p.Temperature) * float64(c)
		}
		for i, probability := range Softmax(p.each, p.each) {
			dst[i] += probability / float64(query.N)
		}
	}
	for i, probability := range dst {
		dst[i] = math.Log(max(probability, math.SmallestNonzeroFloat64))
	}
	return dst, nil
}
