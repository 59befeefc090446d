package fewshot

import (
	"cmp"
	"errors"
	"math"
	"slices"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/match"
	"github.com/deepemd/deepemd/core/method"
)

// Mixture adds the scores of a [Prototype] and of two linear heads like [RidgeHead], which learn
// details that the mean of the examples averages out. The second head ignores the mean node: in
// photographs the place of a part counts more. The left-out examples determine the proportion of
// the heads. Mixture equals Prototype if examples have different numbers of nodes, or with one
// class. The heads favor large classes, so their weight decreases with the imbalance of the
// classes, and Balance lowers the scores of large classes.
//
// Scores are logits with a calibrated softmax. The temperature (Guo et al., "On Calibration
// of Modern Neural Networks", 2017, section 4.2) is fitted to left-out examples, with a prior
// measured on other data. With n left-out runs of examples, the heads together count (n+1)/(n+2).
type Mixture struct {
	// Matcher matches queries with prototypes. Its settings may change until Fit.
	Matcher match.Matcher
	// Balance compensates for different numbers of examples: see Prototype.Balance. It also lowers the
	// scores of a class with n examples by 2/√m − 2/√n, if the smallest class has m, at the usual
	// temperature.
	Balance bool
	// Skip is Prototype.Skip.
	Skip bool

	prototype Prototype
	head      RidgeHead // computes the layers of both heads
	mixed     bool      // examples have different numbers of nodes, so there is no head
	names     []string  // the classes' names

	stale   bool   // examples changed since the last Learn
	learned mixing // the result of the last Learn

	detail Detail // working memory of Scores
}

// mixing holds the parameters of the mixture. If layer is nil, there are prototypes only.
type mixing struct {
	layer     *ridgeLayer // the weighted sum of the heads
	sharpness float64     // factor of all scores, the inverse temperature
	names     []string
}

// heads holds the settings of the heads, and the weights of their scores at the usual temperature.
// They were chosen on Caltech-101 and on the validation classes of CIFAR-FS and Tiny ImageNet.
var heads = [2]struct {
	ridge
	weight float64
}{
	{ridge: usualRidge, weight: 4},
	{ridge: ridge{strength: 0.15}, weight: 12},
}

const (
	// usualSharpness is the prior of the sharpness, a typical value on these datasets, and
	// usualExamples its weight in examples.
	usualSharpness, usualExamples = 1.08, 20
	// singleSharpness is the sharpness if every class has one example.
	singleSharpness = 0.8
	// unequalBias is the difference that Balance makes between the scores of classes with one and with
	// infinitely many examples, chosen on the validation classes of CIFAR-FS and Tiny ImageNet.
	unequalBias = 2
)

// Fit implements Classifier. All examples of a class must have the same number of nodes.
func (m *Mixture) Fit(classes []Class) error {
	m.prototype = Prototype{Matcher: m.Matcher, Balance: m.Balance, Skip: m.Skip}
	m.names, m.stale = nil, true
	if err := m.prototype.Fit(classes); err != nil {
		return err
	}
	err := m.head.Fit(classes)
	if m.mixed = errors.Is(err, ErrMixed); err != nil && !m.mixed {
		m.prototype = Prototype{}
		return err
	}
	for _, class := range classes {
		m.names = append(m.names, class.Name)
	}
	return nil
}

// Traits implements Classifier.
func (m *Mixture) Traits() Traits {
	return Traits{Extender: m, Student: m, Detailer: m, LeaveOneOut: m, Means: true}
}

// Fork implements Extender. The copy uses the result of the last Learn until it learns itself.
func (m *Mixture) Fork() Classifier {
	fork := *m
	fork.prototype, fork.head = m.prototype.fork(), m.head.fork()
	fork.names, fork.detail = slices.Clone(m.names), Detail{}
	return &fork
}

// Extend implements Extender.
func (m *Mixture) Extend(class int, example *embed.Set) error {
	if err := m.prototype.Extend(class, example); err != nil {
		return err
	}
	if !m.mixed {
		m.mixed = m.head.extend(class, example) != nil // a different shape; Prototype has checked the rest
	}
	if class == len(m.names) {
		m.names = append(m.names, "")
	}
	m.stale = true
	return nil
}

// Scores implements Classifier. It calls Learn first.
func (m *Mixture) Scores(dst []float64, query *embed.Set) ([]float64, error) {
	if err := m.Learn(nil); err != nil {
		return nil, err
	}
	if err := m.Detail(&m.detail, query); err != nil {
		return nil, err
	}
	return append(dst[:0], m.detail.Scores...), nil
}

// Learn implements Student.
func (m *Mixture) Learn(pause func() error) error {
	if !m.stale || len(m.names) == 0 {
		return nil
	}
	if m.mixed || len(m.names) == 1 {
		m.learned, m.stale = mixing{}, false
		return nil
	}
	p := &pacer{pause: pause}
	solutions, weights := make([]*solution, len(heads)), make([]float64, len(heads))
	for i, h := range heads {
		s, err := m.head.solve(h.ridge, p)
		if err != nil {
			return err
		}
		solutions[i], weights[i] = s, m.weight(h.weight)
	}
	sharpness, err := m.calibrate(solutions, weights, p)
	if err != nil {
		return err
	}
	layer, err := m.head.combine(solutions, weights, p)
	if err != nil {
		return err
	}
	m.balance(layer, solutions[0].parts)
	m.learned = mixing{layer: layer, sharpness: sharpness, names: slices.Clone(m.names)}
	m.stale = false
	return nil
}

// Detail implements Detailer. The prototypes include all examples. The head and the
// sharpness are the results of the last Learn; if classes were added or removed since, Detail
// returns the scores of the prototypes alone.
func (m *Mixture) Detail(d *Detail, query *embed.Set) (err error) {
	by := m.learned
	d.Head = d.Head[:0]
	if by.layer != nil && slices.Equal(by.names, m.names) {
		if d.Head, err = m.head.scores(d.Head, by.layer, query); err != nil {
			d.Head = d.Head[:0] // the query has another shape than the former examples, or no prototype matches it
		}
	}
	if d.Match, err = m.prototype.scores(d.Match, query, d.Head); err != nil {
		return err
	}
	d.Scores, d.Bounded = append(d.Scores[:0], d.Match...), append(d.Bounded[:0], m.prototype.supports.bounded...)
	for i := range d.Head {
		d.Head[i] *= by.sharpness
		d.Scores[i] = by.sharpness*d.Scores[i] + d.Head[i]
	}
	return nil
}

// Without implements LeaveOneOut. It adds the scores of heads learned from the examples outside its
// part. The weights and the sharpness include the example.
func (m *Mixture) Without(scores []float64, class, example int) error {
	if err := m.Learn(nil); err != nil {
		return err
	}
	for i := range scores {
		scores[i] *= m.heat()
	}
	if m.learned.layer == nil {
		return nil
	}
	for i, s := range m.head.without(m.learned.layer.left, class, example) {
		scores[i] = m.learned.sharpness * (scores[i] + s)
	}
	return nil
}

// balance adds Balance's correction to the scores of a layer, zero for the smallest class. A left-out
// part is missing in the number of examples of its class.
func (m *Mixture) balance(layer *ridgeLayer, parts [][]Run) {
	if !m.Balance {
		return
	}
	fewest := float64(m.prototype.fewest(len(m.head.examples)))
	bias := func(count int) float64 {
		return unequalBias * m.heat() * (1/math.Sqrt(float64(count)) - 1/math.Sqrt(fewest))
	}
	for class, members := range m.head.classes {
		layer.bias[class] += bias(len(members))
	}
	way := len(m.names)
	for own, members := range m.head.classes {
		for _, part := range parts[own] {
			for _, i := range members[part.From:part.To] {
				for class, others := range m.head.classes {
					count := len(others)
					if class == own {
						count = max(count-(part.To-part.From), 1)
					}
					layer.left[i*way+class] += bias(count)
				}
			}
		}
	}
}

// weight returns the factor of a head's scores with the given weight.
func (m *Mixture) weight(usual float64) float64 {
	mean := float64(len(m.head.examples)) / float64(len(m.names))
	return usual * m.heat() * math.Sqrt(float64(m.prototype.fewest(len(m.head.examples)))/mean)
}

// heat returns the matcher's temperature relative to the usual one.
func (m *Mixture) heat() float64 {
	return cmp.Or(m.Matcher.Temperature, method.Temperature) / method.Temperature
}
