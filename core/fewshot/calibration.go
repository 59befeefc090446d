package fewshot

import (
	"math"
	"slices"
)

// mostLeftOut is the maximum number of left-out examples, evenly chosen. More examples would
// hardly change the sharpness.
const mostLeftOut = 64

// matchWork is the approximate time of a match in WebAssembly, in nanoseconds.
const matchWork = 100_000

// calibrate returns the sharpness of a mixture's scores: the factor that maximizes the
// likelihood of the left-out examples' classes, averaged with usualSharpness, whose weight is
// usualExamples. It leaves out no examples of classes with one example. The choice of
// examples depends on the classes, not on the order in which examples were added.
func (m *Mixture) calibrate(weight float64, p *pacer) (sharpness float64, err error) {
	all, at := 0, 0
	for _, n := range m.counts {
		all += n
	}
	step := max(1, (all+mostLeftOut-1)/mostLeftOut)
	var rows [][]float64
	var labels []int
	for class, count := range m.counts {
		for i := range count {
			at++
			if (at-1)%step != 0 || count == 1 {
				continue
			}
			row, err := m.leaveOut(class, i, weight)
			if err == nil {
				err = p.add((len(row) + 1) * matchWork)
			}
			if err != nil {
				return 0, err
			}
			rows, labels = append(rows, row), append(labels, class)
		}
	}
	n := float64(len(rows))
	return math.Exp((n*math.Log(sharpest(rows, labels)) + usualExamples*math.Log(usualSharpness)) / (n + usualExamples)), nil
}

// leaveOut scores an example with a mixture of all others.
func (m *Mixture) leaveOut(class, example int, weight float64) ([]float64, error) {
	set := m.head.examples[m.head.classes[class][example]].set
	row, err := m.prototype.exact(nil, set)
	if err != nil {
		return nil, err
	}
	if row[class], err = m.prototype.ScoreWithout(class, set); err != nil {
		return nil, err
	}
	for i, s := range m.head.ScoresWithout(class, example) {
		row[i] += weight * s
	}
	return row, nil
}

// sharpest returns the factor from 0.2 to 5 that maximizes the likelihood of the labels.
func sharpest(rows [][]float64, labels []int) float64 {
	if len(rows) == 0 {
		return 1
	}
	// The loss is convex in the factor. Its slope is the expected score minus the label's
	// score, and bisection finds its zero.
	var p []float64
	slope := func(factor float64) (sum float64) {
		for i, row := range rows {
			p = slices.Grow(p[:0], len(row))[:len(row)]
			for c, s := range row {
				p[c] = factor * s
			}
			for c, q := range Softmax(p, p) {
				sum += q * row[c]
			}
			sum -= row[labels[i]]
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
