package fewshot

import (
	"math"
	"slices"

	"github.com/deepemd/deepemd/core/embed"
)

// mostLeftOut is the maximum number of left-out examples, except for rounding in each class.
const mostLeftOut = 64

// matchWork is the approximate time of a match in WebAssembly, in nanoseconds.
const matchWork = 100_000

// leftOut holds the scores of an example by the examples outside its part.
type leftOut struct {
	class, example int
	weight         float64 // the parts weigh the same
	scores         []float64
}

// calibrate multiplies the weights of the heads by their posterior probabilities and by (n+1)/(n+2) for n
// left-out parts, and returns the sharpness of the mixture's scores. Both are fitted to left-out examples:
// the sharpness maximizes the likelihood of their classes, averaged with usualSharpness, whose weight is
// usualExamples.
func (m *Mixture) calibrate(solutions []*solution, weights []float64, p *pacer) (sharpness float64, err error) {
	left, err := m.leaveOut(solutions[0].parts, p)
	if err != nil {
		return 0, err
	}
	n := leftParts(left)
	posterior := make([]float64, len(weights))
	for k, s := range solutions {
		one := m.with(left, s, weights[k])
		posterior[k] = likelihood(one, usually(one))
	}
	Softmax(posterior, posterior)
	for k, s := range solutions {
		weights[k] *= posterior[k] * (n + 1) / (n + 2)
		left = m.with(left, s, weights[k])
	}
	if n == 0 {
		return singleSharpness, nil
	}
	return usually(left), nil
}

// leaveOut scores examples by prototypes of the examples outside their parts. It leaves out no examples
// of classes with one example. The choice of examples depends on the order within the classes only.
func (m *Mixture) leaveOut(parts [][]Run, p *pacer) (left []leftOut, err error) {
	all := len(m.head.examples)
	most := min(all, mostLeftOut)
	for class, list := range parts {
		for _, part := range list {
			sets := make([]*embed.Set, 0, part.To-part.From)
			for _, i := range m.head.classes[class][part.From:part.To] {
				sets = append(sets, m.head.examples[i].set)
			}
			before := len(left)
			for i, set := range sets {
				if (part.From+i)*most%all >= most || len(m.head.classes[class]) == 1 {
					continue // so that most of all examples remain, evenly spaced
				}
				scores, err := m.prototype.supports.scores(&m.prototype.Matcher, nil, set)
				if err == nil {
					err = m.prototype.Omit(class, sets)
				}
				if err == nil {
					scores[class], err = m.prototype.Rest(set)
				}
				if err == nil {
					err = p.add((len(scores) + 1) * matchWork)
				}
				if err != nil {
					return nil, err
				}
				m.prototype.Rebalance(scores, class, len(sets))
				left = append(left, leftOut{class: class, example: part.From + i, scores: scores})
			}
			for i := range left[before:] {
				left[before+i].weight = 1 / float64(len(left)-before)
			}
		}
	}
	return left, nil
}

// with returns the scores plus a head's scores times a weight.
func (m *Mixture) with(left []leftOut, s *solution, weight float64) []leftOut {
	left = slices.Clone(left)
	for i, l := range left {
		left[i].scores = slices.Clone(l.scores)
		for c, v := range m.head.without(s.left, l.class, l.example) {
			left[i].scores[c] += weight * v
		}
	}
	return left
}

// likelihood returns the logarithm of the likelihood of the examples' classes at a sharpness.
func likelihood(left []leftOut, sharpness float64) (sum float64) {
	var p []float64
	for _, l := range left {
		p = l.probabilities(p, sharpness)
		sum += l.weight * math.Log(max(p[l.class], math.SmallestNonzeroFloat64))
	}
	return sum
}

// probabilities returns the softmax of the scores times a sharpness. It reuses the memory of dst.
func (l leftOut) probabilities(dst []float64, sharpness float64) []float64 {
	dst = dst[:0]
	for _, s := range l.scores {
		dst = append(dst, sharpness*s)
	}
	return Softmax(dst, dst)
}

// leftParts returns the number of parts with left-out examples.
func leftParts(left []leftOut) (n float64) {
	for _, l := range left {
		n += l.weight
	}
	return n
}

// usually returns the sharpest factor, averaged with the usual sharpness.
func usually(left []leftOut) float64 {
	n := leftParts(left)
	return math.Exp((n*math.Log(sharpest(left)) + usualExamples*math.Log(usualSharpness)) / (n + usualExamples))
}

// sharpest returns the factor from 0.2 to 5 that maximizes the likelihood of the examples' classes with
// a weak exponential prior for each of their parts. Without it, examples that are all recognized would
// have no maximum.
func sharpest(left []leftOut) float64 {
	// The loss is convex in the factor. Its slope is the expected difference to the score of the
	// example's class, and bisection finds its zero.
	const prior = 0.05 // chosen on the validation classes of CIFAR-FS and Tiny ImageNet
	var p []float64
	slope := func(factor float64) (sum float64) {
		for _, l := range left {
			sum += l.weight * prior
			p = l.probabilities(p, factor)
			for c, q := range p {
				sum += l.weight * q * (l.scores[c] - l.scores[l.class])
			}
		}
		return sum
	}
	const rounds = 30
	from, to := 0.2, 5.0
	for range rounds {
		if middle := math.Sqrt(from * to); slope(middle) < 0 {
			from = middle
		} else {
			to = middle
		}
	}
	return math.Sqrt(from * to)
}
