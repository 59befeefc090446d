package fewshot

import (
	"slices"

	"github.com/deepemd/deepemd/core/embed"
)

// head is the last layer of a network, trained on the mean nodes of the support with the
// other layers frozen, as in the baselines of Chen et al., "A Closer Look at Few-shot
// Classification", 2019.
type head struct {
	layer    layer
	weights  []float64 // [way, layer.size]
	way      int
	channels int
	query    []float64
}

// layer is the type of a head: linear or angular.
type layer interface {
	// size returns the number of weights per class.
	size(channels int) int
	// begin writes the initial weights of a class.
	begin(weights []float64, examples [][]float64)
	// logit returns the score of a feature for the class of the weights.
	logit(weights, feature []float64) float64
	// backward adds slope times the gradient of the logit with respect to the weights to dst.
	backward(dst, weights, feature []float64, slope float64)
}

// fit trains the head with the settings in d.
func (h *head) fit(l layer, d Descent, classes []Class) error {
	h.weights = nil
	examples, err := meanNodes(classes)
	if err != nil {
		return err
	}
	var features [][]float64
	var labels []int
	for i, nodes := range examples {
		for _, node := range nodes {
			features, labels = append(features, node), append(labels, i)
		}
	}
	if err := d.check(len(features)); err != nil {
		return err
	}
	h.layer, h.way, h.channels = l, len(classes), len(features[0])
	size := l.size(h.channels)
	weights := make([]float64, h.way*size)
	for i, nodes := range examples {
		l.begin(weights[i*size:][:size], nodes)
	}
	gradient, logits, balance := make([]float64, len(weights)), make([]float64, h.way), balance(classes)
	var v velocity
	for pass := range d.Passes {
		for _, batch := range d.batches(pass, len(features)) {
			clear(gradient)
			for _, at := range batch {
				for i := range logits {
					logits[i] = l.logit(weights[i*size:][:size], features[at])
				}
				slopes(logits, labels[at], balance[labels[at]]/float64(len(batch)))
				for i, slope := range logits {
					l.backward(gradient[i*size:][:size], weights[i*size:][:size], features[at], slope)
				}
			}
			v.step(d, weights, gradient)
		}
	}
	h.weights = weights
	return nil
}

// scores implements Classifier.Scores.
func (h *head) scores(dst []float64, query *embed.Set) ([]float64, error) {
	if h.weights == nil {
		return nil, errUnfitted()
	}
	var err error
	if h.query, err = queryNode(h.query, query, h.channels); err != nil {
		return nil, err
	}
	dst = slices.Grow(dst[:0], h.way)[:h.way]
	size := h.layer.size(h.channels)
	for i := range dst {
		dst[i] = h.layer.logit(h.weights[i*size:][:size], h.query)
	}
	return dst, nil
}

// headDescent holds the settings of Chen et al.
var headDescent = Descent{Rate: 0.01, Momentum: 0.9, Dampening: 0.9, Decay: 0.001, Batch: 4, Passes: 100}
