package solver

import (
	"runtime"
	"slices"
	"strconv"
	"sync"
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

// Batch runs many problems at a time, each on a layer of its own.
type Batch struct {
	layers  []Layer
	flows   [][]float64
	threads int
}

// NewBatch returns a batch that makes a layer for each problem by layer, once,
// and uses at most threads goroutines, 0 for all cores. Results do not depend on
// their number.
func NewBatch(layer func() Layer, size, threads int) *Batch {
	b := &Batch{layers: make([]Layer, size), flows: make([][]float64, size), threads: threads}
	for i := range b.layers {
		b.layers[i] = layer()
	}
	if b.threads <= 0 {
		b.threads = runtime.GOMAXPROCS(0)
	}
	return b
}

// Forward returns the flow of each problem, of which there are at most as many
// as the batch has layers. Flows hold until the next Forward.
//
// # Errors
//
// That of the first problem that has one, with its number.
func (b *Batch) Forward(problems []*Problem) ([][]float64, error) {
	err := b.each(len(problems), func(i int) (err error) {
		b.flows[i], err = b.layers[i].Forward(problems[i])
		return err
	})
	return b.flows[:len(problems)], err
}

// Backward writes the gradients of each problem of the last Forward.
//
// # Errors
//
// As of Forward.
func (b *Batch) Backward(gradients []Gradient, upstream [][]float64) error {
	return b.each(len(upstream), func(i int) error { return b.layers[i].Backward(&gradients[i], upstream[i]) })
}

func (b *Batch) each(n int, do func(i int) error) error {
	if n > len(b.layers) {
		return &fault{strconv.Itoa(n) + " problems for a batch of " + strconv.Itoa(len(b.layers)), ErrShape, "make a larger one with NewBatch"}
	}
	errs := make([]error, n)
	var wait sync.WaitGroup
	for worker := range min(b.threads, n) {
		wait.Go(func() {
			for i := worker; i < n; i += b.threads {
				errs[i] = do(i)
			}
		})
	}
	wait.Wait()
	for i, err := range errs {
		if err != nil {
			return &numbered{i + 1, n, err}
		}
	}
	return nil
}

// numbered is the error of one problem of a batch.
type numbered struct {
	problem, of int // from 1
	err         error
}

// Error names the problem of the batch, then what is wrong with it.
func (e *numbered) Error() string {
	return "problem " + strconv.Itoa(e.problem) + " of " + strconv.Itoa(e.of) + ": " + e.err.Error()
}

// Unwrap returns the problem's own error.
func (e *numbered) Unwrap() error { return e.err }
