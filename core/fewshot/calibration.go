package fewshot

import (
	"math"
	"slices"
)

// mostLeftOut is the maximum number of examples that are left out, evenly chosen: more would
// not change the one number.
const mostLeftOut = 64

// matchWork is the approximate time of a match in a page, in nanoseconds.
const matchWork = 100_000

// calibrate returns the sharpness of a mixture's scores: the factor at which the classes of
// left-out examples are most likely; if they are few, near the usual one. Classes of one
// example have none to leave out. Examples are chosen in the order of their classes: it
// makes no difference in which order they came.
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
				err = p.did((len(row) + 1) * matchWork)
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

// leaveOut scores an example by all others.
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

// sharpest is the factor, from a fifth to five, at which the labels are most likely.
func sharpest(rows [][]float64, labels []int) float64 {
	if len(rows) == 0 {
		return 1
	}
	// The loss is convex in the factor: its slope is the mean score less that of the
	// label, and bisection finds where it is zero.
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
