package fewshot

import (
	"fmt"
	"math"
	"slices"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/match"
	"github.com/deepemd/deepemd/core/method"
)

// Mixture adds to the scores of [Prototype] those of a [RidgeHead], which learns from
// many examples what their mean leaves out. Where every class has one example there is
// nothing to learn, and it scores as Prototype does. The more the classes' numbers of
// examples differ, the less the head counts, which favours large classes.
//
// Scores are logits whose softmax is calibrated: examples that are left out say how
// far scores can be trusted (Guo et al., "On Calibration of Modern Neural Networks",
// 2017, section 4.2), and where there are few, what was measured on other data.
type Mixture struct {
	// Matcher matches queries with prototypes; its settings may be changed until Fit.
	Matcher match.Matcher
	// Balance is Prototype's.
	Balance bool

	prototype Prototype
	head      RidgeHead
	logits    []float64 // of the head, as the latest scores have them; empty where it took no part
	stale     bool      // examples came since the calibration
	sharpness float64   // what scores are multiplied with
}

const (
	// headWeight is what the head's scores are multiplied with beside logits at the usual
	// temperature: of 2, 4, 8 and 16 the best on average over four data sets.
	headWeight = 4
	// usualSharpness is what the calibration of most episodes of those sets comes to,
	// and usualExamples how many examples it weighs as much as.
	usualSharpness, usualExamples = 1.08, 20
	// mostLeftOut is how many examples are left out at most, evenly chosen: more make
	// no difference to one number.
	mostLeftOut = 64
)

// Fit implements Classifier. All examples must have the same number of nodes.
func (m *Mixture) Fit(classes []Class) error {
	m.prototype.Matcher, m.prototype.Balance = m.Matcher, m.Balance
	if err := m.prototype.Fit(classes); err != nil {
		return err
	}
	if err := m.head.Fit(classes); err != nil {
		m.prototype = Prototype{}
		return err
	}
	m.stale = true
	return nil
}

// Extend implements Extender.
func (m *Mixture) Extend(class int, example *embed.Set) error {
	if m.head.classes != nil && example.Check() == nil && (example.N != m.head.nodes || example.C != m.head.channels) {
		return fmt.Errorf("fewshot: new example: %w: %d nodes of %d channels, others have %d of %d: use one embedder, or the nearest classifier",
			ErrMixed, example.N, example.C, m.head.nodes, m.head.channels)
	}
	if err := m.prototype.Extend(class, example); err != nil {
		return err
	}
	m.stale = true
	return m.head.Extend(class, example)
}

// Scores implements Classifier.
func (m *Mixture) Scores(dst []float64, query *embed.Set) ([]float64, error) {
	dst, err := m.prototype.Scores(dst, query)
	m.logits = m.logits[:0]
	weight := 0.0
	if err == nil {
		weight = m.weight()
	}
	if weight == 0 {
		return dst, err
	}
	if m.logits, err = m.head.Scores(m.logits, query); err != nil {
		return nil, err
	}
	if m.stale {
		if err := m.calibrate(weight); err != nil {
			return nil, err
		}
	}
	for i, s := range m.logits {
		m.logits[i] = m.sharpness * weight * s
		dst[i] = m.sharpness*dst[i] + m.logits[i]
	}
	return dst, nil
}

// Added is what the head added to the latest scores, of each class: what is left is that
// of the match. It is empty where no head took part, and must not be modified.
func (m *Mixture) Added() []float64 { return m.logits }

// weight is what the head's scores are multiplied with: none where all classes have
// one example.
func (m *Mixture) weight() float64 {
	counts := m.head.classes
	if slices.Max(counts) == 1 {
		return 0
	}
	mean := float64(len(m.head.examples)) / float64(len(counts))
	return headWeight * temperature(m.Matcher.Temperature) / method.Temperature * math.Sqrt(float64(slices.Min(counts))/mean)
}

// calibrate finds the sharpness at which the classes of left-out examples are most
// likely. Classes of one example have none to leave out.
func (m *Mixture) calibrate(weight float64) error {
	var rows [][]float64
	var labels []int
	step := max(1, (len(m.head.examples)+mostLeftOut-1)/mostLeftOut)
	for i := 0; i < len(m.head.examples); i += step {
		e := &m.head.examples[i]
		if m.head.classes[e.class] == 1 {
			continue
		}
		row, err := m.prototype.Scores(nil, e.set)
		if err != nil {
			return err
		}
		if row[e.class], err = m.prototype.ScoreWithout(e.class, e.set); err != nil {
			return err
		}
		for class, s := range m.head.ScoresWithout(i) {
			row[class] += weight * s
		}
		rows, labels = append(rows, row), append(labels, e.class)
	}
	n := float64(len(rows))
	m.sharpness = math.Exp((n*math.Log(sharpest(rows, labels)) + usualExamples*math.Log(usualSharpness)) / (n + usualExamples))
	m.stale = false
	return nil
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
			p = grow(p, len(row))
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
