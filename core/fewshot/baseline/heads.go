package baseline

import (
	"math"
	"slices"

	"github.com/deepemd/deepemd/core/fewshot"
	"github.com/deepemd/deepemd/internal/kernel"
)

// LinearHead returns a linear layer with a bias on an image's mean node, learned on the support by
// cross-entropy with the other layers frozen (the baseline of Chen et al., "A Closer Look at
// Few-shot Classification", 2019). It starts from zero. The default of d has 100 passes, batches of
// 4, rate 0.01, momentum and dampening 0.9, and decay 0.001. Fit returns an error for invalid
// settings.
//
// All classes have the same weight in training, regardless of their numbers of examples.
func LinearHead(d fewshot.Descent) fewshot.Classifier { return head(linear{}, d) }

// CosineHead returns a head like LinearHead that scores by the temperature times the cosine of an
// image's mean node with a weight vector per class (Baseline++ of Chen et al.). Training starts at
// the mean of the class's mean nodes, scaled to length 1.
func CosineHead(temperature float64, d fewshot.Descent) fewshot.Classifier {
	return head(angular{temperature}, d)
}

// layer is the kind of a head.
type layer interface {
	// begin returns the initial weights of a class.
	begin(examples [][]float64) []float64
	// logit returns the score of a feature for the class of the weights.
	logit(weights, feature []float64) float64
	// backward adds slope times the gradient of the logit with respect to the weights to dst.
	backward(dst, weights, feature []float64, slope float64)
}

// headDescent holds the settings of Chen et al.
var headDescent = fewshot.Descent{Rate: 0.01, Momentum: 0.9, Dampening: 0.9, Decay: 0.001, Batch: 4, Passes: 100}

// head returns a classifier with a layer of the given kind.
func head(l layer, d fewshot.Descent) fewshot.Classifier {
	d = d.Or(headDescent)
	return &onMeans{learn: func(classes []fewshot.Class, support [][][]float64) (func(dst, node []float64), error) {
		var features [][]float64
		var labels []int
		var weights []float64 // [classes, size]
		for i, nodes := range support {
			weights = append(weights, l.begin(nodes)...)
			for _, node := range nodes {
				features, labels = append(features, node), append(labels, i)
			}
		}
		size := len(weights) / len(classes)
		of := func(all []float64, class int) []float64 { return all[class*size:][:size] }
		score := func(dst, node []float64) {
			for i := range dst {
				dst[i] = l.logit(of(weights, i), node)
			}
		}
		loss, logits, gradient := fewshot.NewLoss(classes), make([]float64, len(classes)), make([]float64, len(weights))
		var velocity []float64
		err := d.Run(len(features), func(_ int, batch []int) error {
			clear(gradient)
			for _, at := range batch {
				score(logits, features[at])
				loss.Slopes(logits, labels[at], len(batch))
				for i, slope := range logits {
					l.backward(of(gradient, i), of(weights, i), features[at], slope)
				}
			}
			for i, w := range weights {
				gradient[i] += d.Decay * w
			}
			if velocity == nil {
				velocity = slices.Clone(gradient)
			} else {
				for i, g := range gradient {
					velocity[i] = d.Momentum*velocity[i] + (1-d.Dampening)*g
				}
			}
			for i, v := range velocity {
				weights[i] -= d.Rate * v
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		return score, nil
	}}
}

// linear computes the logit w·f + b, where b is the last weight of the class.
type linear struct{}

func (linear) begin(examples [][]float64) []float64 { return make([]float64, len(examples[0])+1) }

func (linear) logit(weights, feature []float64) float64 {
	return kernel.Dot(feature, weights) + weights[len(feature)]
}

func (linear) backward(dst, _, feature []float64, slope float64) {
	for i, f := range feature {
		dst[i] += slope * f
	}
	dst[len(feature)] += slope
}

// angular computes the logit T·w·f/(‖w‖·‖f‖).
type angular struct{ temperature float64 }

// begin returns the mean, scaled to length 1 unless it is zero.
func (angular) begin(examples [][]float64) []float64 {
	mean := centroid(examples)
	var square float64
	for _, x := range mean {
		square += x * x
	}
	if square > 0 {
		scale := 1 / math.Sqrt(square)
		for i := range mean {
			mean[i] *= scale
		}
	}
	return mean
}

func (a angular) logit(weights, feature []float64) float64 {
	return a.temperature * cosine(weights, feature)
}

// backward uses the gradient of the cosine by w, (f/‖f‖ − cos·w/‖w‖)/‖w‖.
func (a angular) backward(dst, weights, feature []float64, slope float64) {
	ww, ff := math.Sqrt(kernel.Dot(weights, weights)), math.Sqrt(kernel.Dot(feature, feature))
	if ww == 0 || ff == 0 {
		return
	}
	cos := kernel.Dot(weights, feature) / (ww * ff)
	scale := a.temperature * slope / ww
	for i, f := range feature {
		dst[i] += scale * (f/ff - cos*weights[i]/ww)
	}
}
