package fewshot

import (
	"math"
	"slices"
)

// calibration leaves examples out of a mixture, to find the sharpness of its scores.
type calibration struct {
	planned bool
	places  [][2]int // examples still to leave out: class, and place in it
	rows    [][]float64
	labels  []int
}

// mostLeftOut is how many examples are left out at most, evenly chosen: more make
// no difference to one number.
const mostLeftOut = 64

// matchWork is about how many nanoseconds a match takes in a page.
const matchWork = 100_000

// leaveOut leaves out one more example, and says about how many nanoseconds that takes in
// a page; 0 when there are no more. Classes of one example have none to leave out.
func (m *Mixture) leaveOut(weight float64) (work int, err error) {
	c := &m.under
	if !c.planned {
		c.plan(m.counts)
	}
	if len(c.places) == 0 {
		return 0, nil
	}
	class, example := c.places[0][0], c.places[0][1]
	set := m.head.examples[m.head.classes[class][example]].set
	row, err := m.prototype.exact(nil, set)
	if err != nil {
		return 0, err
	}
	if row[class], err = m.prototype.ScoreWithout(class, set); err != nil {
		return 0, err
	}
	for i, s := range m.head.ScoresWithout(class, example) {
		row[i] += weight * s
	}
	c.places, c.rows, c.labels = c.places[1:], append(c.rows, row), append(c.labels, class)
	return (len(row) + 1) * matchWork, nil
}

// plan chooses examples, in the order of their classes: it makes no difference in which
// order they came.
func (c *calibration) plan(counts []int) {
	all := 0
	for _, n := range counts {
		all += n
	}
	step := max(1, (all+mostLeftOut-1)/mostLeftOut)
	at := 0
	for class, n := range counts {
		for i := range n {
			if at%step == 0 && n > 1 {
				c.places = append(c.places, [2]int{class, i})
			}
			at++
		}
	}
	c.planned = true
}

// sharpness is the factor at which the classes of the examples left out are most likely;
// where they are few, near the usual one.
func (c *calibration) sharpness() float64 {
	n := float64(len(c.rows))
	return math.Exp((n*math.Log(sharpest(c.rows, c.labels)) + usualExamples*math.Log(usualSharpness)) / (n + usualExamples))
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
