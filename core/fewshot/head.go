package fewshot

import (
	"slices"

	"github.com/deepemd/deepemd/core/embed"
)

// head is the last layer of a network, learned on the mean nodes of the support
// with the rest of the network fixed (Chen et al., "A Closer Look at Few-shot
// Classification", 2019: their baselines).
type head struct {
	layer    layer
	weights  []float64 // [way, layer.size]
	way      int
	channels int
	query    []float64
}

// layer is the kind of layer that a head is.
type layer interface {
	// size is the number of weights of a class.
	size(channels int) int
	// begin writes the weights of a class that learning starts from.
	begin(weights []float64, examples [][]float64)
	// logit is a class's score of a feature.
	logit(weights, feature []float64) float64
	// backward adds slope times the gradient of the logit by the weights to dst.
	backward(dst, weights, feature []float64, slope float64)
}

// fit learns the classes.
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

// scores is Classifier's.
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

// headDescent is that of Chen et al.
var headDescent = Descent{Rate: 0.01, Momentum: 0.9, Dampening: 0.9, Decay: 0.001, Batch: 4, Passes: 100}
