package solver

import (
	"slices"
	"strconv"
)

// Layer is a differentiable transport problem: it maps costs and weights to a
// flow, and a gradient with respect to the flow back to gradients with respect
// to costs and weights (DeepEMD, section 3.3). A Layer keeps what Backward needs
// of the last Forward and is not safe for concurrent use.
type Layer interface {
	// Forward returns the flow, [Rows, Cols]. It belongs to the layer and holds
	// until its next Forward.
	Forward(p *Problem) (flow []float64, err error)
	// Backward writes to g the gradients of a loss from upstream, its gradient
	// with respect to the flow of the last Forward.
	Backward(g *Gradient, upstream []float64) error
}

// Gradient is the gradient of a loss with respect to a problem. Weights can only
// change together, since both sides have the same sum: along a change (ds, dd)
// with Σ ds = Σ dd the loss changes by Supply·ds + Demand·dd, and a constant
// added to Supply and taken from Demand is arbitrary; the last Demand is zero.
type Gradient struct {
	Cost   []float64 // [Rows, Cols]
	Supply []float64 // [Rows]
	Demand []float64 // [Cols]
}

// resize gives the gradient the shape of a problem.
func (g *Gradient) resize(m, k int) {
	g.Cost, g.Supply, g.Demand = slices.Grow(g.Cost[:0], m*k)[:m*k], slices.Grow(g.Supply[:0], m)[:m], slices.Grow(g.Demand[:0], k)[:k]
}

// setWeights writes −dy, [m+k], to the gradients of supply and demand.
func (g *Gradient) setWeights(dy []float64) {
	for i := range g.Supply {
		g.Supply[i] = -dy[i]
	}
	for j := range g.Demand {
		g.Demand[j] = -dy[len(g.Supply)+j]
	}
}

// ConstantFlow is the cheap layer: the exact flow, held constant. Its gradients are
// zero, so that a loss that contains the costs themselves, like Σ (1−c)·x, is
// differentiated through those alone.
type ConstantFlow struct {
	simplex    Simplex
	rows, cols int
}

// Forward implements [Layer] with [Simplex].
func (c *ConstantFlow) Forward(p *Problem) ([]float64, error) {
	s, err := c.simplex.Solve(p)
	c.rows, c.cols = p.Rows, p.Cols
	return s.Flow, err
}

// Backward implements [Layer]: zero.
func (c *ConstantFlow) Backward(g *Gradient, upstream []float64) error {
	if err := checkUpstream(upstream, c.rows, c.cols); err != nil {
		return err
	}
	g.resize(c.rows, c.cols)
	clear(g.Cost)
	clear(g.Supply)
	clear(g.Demand)
	return nil
}

func checkUpstream(upstream []float64, rows, cols int) error {
	if rows == 0 {
		return &fault{"gradient of no flow", ErrEmpty, "call Forward first"}
	}
	if len(upstream) != rows*cols {
		return &fault{"gradient of " + strconv.Itoa(len(upstream)) + " values for a flow of " + strconv.Itoa(rows) + "×" + strconv.Itoa(cols), ErrShape, "give one value a pair, row after row"}
	}
	return nil
}
