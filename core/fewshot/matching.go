package fewshot

import (
	"math"
	"slices"

	"github.com/deepemd/deepemd/core/embed"
)

// Matching is the classifier of a matching network (Vinyals et al., 2016, without full
// context embeddings). The query attends to every example with a weight proportional to
// exp(T·cosine) of the mean nodes. A class's score is the logarithm of the mean weight of its
// examples. The mean, unlike the sum, does not favor classes with more examples.
//
// The zero value is ready for use.
type Matching struct {
	plain

	// Temperature is T; the default is method.Temperature.
	Temperature float64

	examples [][][]float64 // by class
	query    []float64
	each     []float64
}

// Fit implements Classifier. Examples may have different numbers of nodes.
func (m *Matching) Fit(classes []Class) (err error) {
	m.examples, err = meanNodes(classes)
	return err
}

// Scores implements Classifier.
func (m *Matching) Scores(dst []float64, query *embed.Set) ([]float64, error) {
	if m.examples == nil {
		return nil, errUnfitted()
	}
	var err error
	if m.query, err = queryNode(m.query, query, len(m.examples[0][0])); err != nil {
		return nil, err
	}
	dst = slices.Grow(dst[:0], len(m.examples))[:len(m.examples)]
	for i, examples := range m.examples {
		m.each = slices.Grow(m.each[:0], len(examples))[:len(examples)]
		for j, example := range examples {
			m.each[j] = temperature(m.Temperature) * cosine(m.query, example)
		}
		dst[i] = logMeanExp(m.each)
	}
	return dst, nil
}

// logMeanExp returns the logarithm of the mean exponential of values.
func logMeanExp(values []float64) float64 {
	top := values[Best(values)]
	var sum float64
	for _, v := range values {
		sum += math.Exp(v - top)
	}
	return top + math.Log(sum/float64(len(values)))
}
