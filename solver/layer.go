package solver

import (
	"slices"
	"strconv"
)

// Layer is a differentiable transport problem. It maps costs and weights to a flow, and a gradient
// with respect to the flow to gradients with respect to costs and weights (DeepEMD, section 3.3).
// Backward uses the state of the last Forward. A Layer is not safe for concurrent use.
type Layer interface {
	// Forward returns the flow, [Rows, Cols], which is valid until the next Forward.
	Forward(p *Problem) (flow []float64, err error)
	// Backward writes the gradients of a loss to g, whose slices it resizes. upstream, [Rows, Cols], is
	// the gradient of the loss with respect to the flow of the last Forward.
	//
	// It returns an error that wraps ErrEmpty without a flow, and ErrShape for another length of upstream.
	Backward(g *Gradient, upstream []float64) error
}

// Gradient is the gradient of a loss with respect to a problem. Both sides have the same sum, so
// weights can only change together: along a change (ds, dd) with Σ ds = Σ dd the loss changes by
// Supply·ds + Demand·dd. Adding a constant to Supply and subtracting it from Demand makes no
// difference; the last Demand is zero.
type Gradient struct {
	Cost   []float64 // [Rows, Cols]
	Supply []float64 // [Rows]
	Demand []float64 // [Cols]
}

// resize sets the lengths for a problem of m rows and k columns.
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

// ConstantFlow returns the exact flow and treats it as constant: its gradients are zero. The
// gradient of a loss that contains the costs themselves, such as Σ (1−c)·x, is then the gradient
// through the costs.
type ConstantFlow struct {
	simplex    Simplex
	rows, cols int
}

// Forward implements [Layer] with [Simplex].
func (c *ConstantFlow) Forward(p *Problem) ([]float64, error) {
	c.rows, c.cols = 0, 0
	s, err := c.simplex.Solve(p)
	if err != nil {
		return nil, err
	}
	c.rows, c.cols = p.Rows, p.Cols
	return s.Flow, nil
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
		return &fault{"gradient without a flow", ErrEmpty, "call Forward first"}
	}
	if len(upstream) != rows*cols {
		return &fault{"gradient of " + strconv.Itoa(len(upstream)) + " values for a flow of " + strconv.Itoa(rows) + "×" + strconv.Itoa(cols), ErrShape, "give one value per pair, row after row"}
	}
	return nil
}
