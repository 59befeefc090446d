package backbone

import (
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/trainer/training/internal/residual"
)

// residualPlan builds networks of package residual.
type residualPlan struct{ residual.Plan }

// Check implements [Plan].
func (residualPlan) Check() error { return nil }

// Memory implements [Plan].
func (p residualPlan) Memory(size, pictures int, _ bool) float64 {
	return p.Plan.Memory(size, pictures)
}

// Build implements [Plan].
func (p residualPlan) Build(seed uint64, opt Options) (Network, error) {
	return residual.New(p.Plan, seed, opt.Threads, opt.Kernels), nil
}

// residualOf is the plan of the network that a file holds.
func residualOf(f *weights.File) (Plan, error) {
	p, err := residual.Of(f)
	return residualPlan{p}, err
}

// settledResidual is the plan of settings.
func settledResidual(a *Architecture) (Plan, error) {
	p, err := residual.Basic(a.Widths, a.Blocks)
	return residualPlan{p}, err
}
