package fewshot

import (
	"errors"
	"fmt"
	"math"

	"github.com/deepemd/deepemd/core/embed"
)

// Omit computes a class without some of its examples. The class must have others. It subtracts the
// examples from the sum of the class, which is faster than adding the others again. It returns the same
// errors as Fit.
func (p *Prototype) Omit(class int, examples []*embed.Set) error {
	if len(p.means) == 0 {
		return ErrUnfitted
	}
	p.rest.omit(p.means[class], examples)
	if err := p.Matcher.Reset(&p.restPrepared, &p.rest.set); err != nil {
		return fmt.Errorf("fewshot: a class without an example: %w", err)
	}
	p.restPrepared.Pack()
	return nil
}

// Rest returns the score of a query against the class of the last Omit, as after a Fit without the
// examples, except for rounding. It returns the same errors as Scores, and an error before Omit.
func (p *Prototype) Rest(query *embed.Set) (float64, error) {
	if p.rest.count == 0 {
		return 0, errors.New("fewshot: no class without an example: call Omit first")
	}
	if err := p.Matcher.Reset(&p.supports.query, query); err != nil {
		return 0, fmt.Errorf("fewshot: query: %w", err)
	}
	score, err := p.Matcher.ScorePrepared(&p.supports.query, &p.restPrepared)
	if err != nil || !p.Balance {
		return score, err
	}
	return score * scaleOf(p.rest.roughness(p.fewest(p.rest.count))), nil
}

// Rebalance converts a query's scores against the other classes to those after a Fit without some of
// the examples of a class, which must have others: with Balance, the class may become the smallest.
func (p *Prototype) Rebalance(scores []float64, class, omitted int) {
	if !p.Balance {
		return
	}
	fewest := p.fewest(p.means[class].count - omitted)
	for c, m := range p.means {
		if c != class {
			scores[c] *= scaleOf(m.roughness(fewest)) / p.supports.scale[c]
		}
	}
}

// scaleOf returns the scale of a class's scores for the roughness of its mean; see weigh.
func scaleOf(roughness float64) float64 { return 1 / math.Sqrt(roughness) }

// omit sets m to other without some of its sets.
func (m *average) omit(other *average, sets []*embed.Set) {
	if len(m.sum) != len(other.sum) {
		m.sum, m.set.Data = make([]float64, len(other.sum)), make([]float32, len(other.sum))
	}
	m.set.N, m.set.C, m.set.Regions = other.set.N, other.set.C, other.set.Regions
	copy(m.sum, other.sum)
	m.power, m.count = other.power, other.count
	for _, set := range sets {
		data := set.Data[:len(m.sum)]
		for k, v := range data {
			m.sum[k] -= float64(v)
		}
		m.power -= power(set)
		m.count--
	}
	m.update()
}
