package fewshot

import (
	"fmt"
	"math"
	"slices"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/match"
	"github.com/deepemd/deepemd/internal/kernel"
)

// ridgeInput is the input of a set. It refers to the nodes of the set.
type ridgeInput struct {
	set   *embed.Set
	scale []float64 // [N], the factors of the centered nodes
	mean  []float32 // [C], the mean node, scaled to length 1
}

// leastCentered is the minimum share of a node's squared length that must remain after
// centering. A node with nearly equal channels leaves only rounding errors, which scaling
// would amplify until the system is not positive definite in float32. Such a node counts as
// zero.
const leastCentered = 1e-5

// leastSquares is the minimum squared length of a node: the reciprocal of a length below 1e-30
// is infinite in float32, or close to it. Such a node counts as zero, too.
const leastSquares = 1e-60

// reset computes the input of a set. It returns an error for values that are not finite.
func (p *ridgeInput) reset(set *embed.Set) error {
	p.set, p.scale = set, slices.Grow(p.scale[:0], set.N)[:set.N]
	if len(p.mean) != set.C {
		p.mean = make([]float32, set.C)
	}
	share := 1 / math.Sqrt(float64(set.N))
	for n := range set.N {
		var sum, squares float64
		for _, v := range set.Node(n) {
			sum += float64(v)
			squares += float64(v) * float64(v)
		}
		if math.IsNaN(squares) || math.IsInf(squares, 0) {
			return fmt.Errorf("node %d: %w: are the weights damaged?", n, match.ErrNotFinite)
		}
		p.scale[n] = 0
		if centered := squares - sum*sum/float64(set.C); centered > leastCentered*squares && centered > leastSquares {
			p.scale[n] = share / math.Sqrt(centered)
		}
	}
	direction(p.mean, set)
	return nil
}

// scaled writes the input, [(N+1)·C], with nodes that are scaled but not centered. Products
// with vectors of centered nodes are the same.
func (p *ridgeInput) scaled(dst []float32) {
	c := p.set.C
	for n := range p.set.N {
		scale, to := float32(p.scale[n]), dst[n*c:][:c]
		for i, v := range p.set.Node(n) {
			to[i] = scale * v
		}
	}
	copy(dst[p.set.N*c:], p.mean)
}

// product returns the dot product of the input and a vector with centered nodes.
func (p *ridgeInput) product(v []float32) (sum float64) {
	c := p.set.C
	for n := range p.set.N {
		sum += p.scale[n] * kernel.Dot(p.set.Node(n), v[n*c:][:c])
	}
	return sum + kernel.Dot(p.mean, v[p.set.N*c:])
}

// add adds factor times the nodes, not centered, and mean times the mean node to dst.
func (p *ridgeInput) add(dst []float32, factor, mean float64) {
	c := p.set.C
	for n := range p.set.N {
		kernel.AddTimes(dst[n*c:][:c], float32(factor*p.scale[n]), p.set.Node(n))
	}
	kernel.AddTimes(dst[p.set.N*c:], float32(mean), p.mean)
}

// center subtracts the mean of each row of channels from the row.
func center(rows []float32, channels int) {
	for ; len(rows) > 0; rows = rows[channels:] {
		var sum float32
		for _, v := range rows[:channels] {
			sum += v
		}
		for c := range channels {
			rows[c] -= sum / float32(channels)
		}
	}
}
