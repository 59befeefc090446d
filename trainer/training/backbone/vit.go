package backbone

import (
	"fmt"

	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/trainer/training/internal/vit"
)

// vitPlan builds networks of package vit.
type vitPlan struct{ vit.Plan }

// Memory implements [Plan].
func (p vitPlan) Memory(size, pictures int, _ bool) float64 { return p.Plan.Memory(size, pictures) }

// Build implements [Plan].
func (p vitPlan) Build(seed uint64, opt Options) (Network, error) {
	return vit.New(p.Plan, seed, opt.Threads, opt.Kernels), nil
}

// vitOf is the plan of the network that a file holds.
func vitOf(f *weights.File) (Plan, error) {
	p, err := vit.Of(f)
	return vitPlan{p}, err
}

// settledVit is the plan of settings, with a class token, as timm has it.
func settledVit(a *Architecture) (Plan, error) {
	if len(a.Widths) != 1 {
		return nil, fmt.Errorf("widths %v: a vision transformer has one", a.Widths)
	}
	return vitPlan{vit.Plan{
		Channels: a.Widths[0], Hidden: 4 * a.Widths[0], Heads: a.Heads, Depth: a.Depth, Patch: a.Patch, Places: a.Places, Class: true,
		Registers: a.Registers, LayerScale: a.LayerScale != 0, Scale: a.LayerScale, Positions: vit.Antialias,
	}}, nil
}
