package fewshot

import (
	"fmt"
	"math"

	"github.com/deepemd/deepemd/core/embed"
)

// ScoreWithout implements Omitter. It subtracts the example from the sum of its class, which
// is faster than adding the others again.
func (p *Prototype) ScoreWithout(class int, example *embed.Set) (float64, error) {
	if len(p.means) == 0 {
		return 0, ErrUnfitted
	}
	if err := p.Matcher.Reset(&p.supports.query, example); err != nil {
		return 0, fmt.Errorf("fewshot: query: %w", err)
	}
	p.rest.omit(p.means[class], example)
	if err := p.Matcher.Reset(&p.restPrepared, &p.rest.set); err != nil {
		return 0, fmt.Errorf("fewshot: a class without an example: %w", err)
	}
	p.restPrepared.Pack()
	score, err := p.Matcher.ScorePrepared(&p.supports.query, &p.restPrepared)
	if err != nil || !p.Balance {
		return score, err
	}
	fewest := p.rest.count
	for _, m := range p.means {
		fewest = min(fewest, m.count)
	}
	return score * scaleOf(p.rest.roughness(fewest)), nil
}

// scaleOf returns the scale of a class's scores for the roughness of its mean; see weigh.
func scaleOf(roughness float64) float64 { return 1 / math.Sqrt(roughness) }

// omit sets m to other without one of its sets.
func (m *average) omit(other *average, set *embed.Set) {
	if len(m.sum) != len(other.sum) {
		m.sum, m.set.Data = make([]float64, len(other.sum)), make([]float32, len(other.sum))
	}
	m.set.N, m.set.C, m.set.Regions = other.set.N, other.set.C, other.set.Regions
	data := set.Data[:len(m.sum)]
	for k, v := range other.sum {
		m.sum[k] = v - float64(data[k])
	}
	m.power, m.count = other.power-power(set), other.count-1
	m.update()
}
