package backbone

import (
	"fmt"
	"math/rand/v2"
	"strconv"

	core "github.com/deepemd/deepemd/core/backbone"
	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/nn"
	"github.com/deepemd/deepemd/core/tensor"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/trainer/training/internal/layer"
)

// Pooled is a plan whose networks' maps are averaged to grid×grid positions, where they
// have more, as inference does it; 0 leaves them.
func Pooled(p Plan, grid int) Plan {
	if grid == 0 {
		return p
	}
	return pooledPlan{p, grid}
}

type pooledPlan struct {
	Plan
	grid int
}

// Check implements [Plan].
func (p pooledPlan) Check() error {
	if p.grid < 1 || p.grid > core.MaxGrid {
		return fmt.Errorf("grid is %d, want nodes from 1 to %d across, or 0 for all positions", p.grid, core.MaxGrid)
	}
	return p.Plan.Check()
}

// Build implements [Plan].
func (p pooledPlan) Build(seed uint64, opt Options) (Network, error) {
	n, err := p.Plan.Build(seed, opt)
	if err != nil {
		return nil, err
	}
	return &pooled{Network: n, grid: p.grid}, nil
}

// pooled is a network whose maps are averaged.
type pooled struct {
	Network
	grid int

	whole    *nn.Map // the last map of the network
	values   []float32
	output   *nn.Map
	gradient []float32 // of the whole map
	pools    bool      // whether the last map had more positions
}

// Forward implements [Network].
func (p *pooled) Forward(batch *tensor.Tensor, noise *rand.Rand) *nn.Map {
	m := p.Network.Forward(batch, noise)
	p.whole, p.pools = m, m.H > p.grid || m.W > p.grid
	if !p.pools {
		return m
	}
	size, cells := m.H*m.W*m.C, p.grid*p.grid*m.C
	if len(p.gradient) != m.N*size {
		p.gradient, p.values = make([]float32, m.N*size), make([]float32, m.N*cells)
	}
	m.Store(p.gradient) // its memory is free until Backward
	p.Context().Split(m.N, func(from, to int) {
		for i := from; i < to; i++ {
			embed.PoolMap(p.values[i*cells:][:cells], p.gradient[i*size:][:size], m.H, m.W, m.C, p.grid)
		}
	})
	p.output = p.output.Fit(m.N, p.grid, p.grid, m.C)
	p.output.Load(p.values)
	return p.output
}

// Backward implements [Network].
func (p *pooled) Backward(features []float32) {
	if !p.pools {
		p.Network.Backward(features)
		return
	}
	m := p.whole
	size, cells := m.H*m.W*m.C, p.grid*p.grid*m.C
	p.Context().Split(m.N, func(from, to int) {
		for i := from; i < to; i++ {
			layer.Unaverage(p.gradient[i*size:][:size], features[i*cells:][:cells], m.H, m.W, m.C, p.grid)
		}
	})
	p.Network.Backward(p.gradient)
}

// Describe implements [Network].
func (p *pooled) Describe(meta *weights.Meta) {
	p.Network.Describe(meta)
	if meta.Extra == nil {
		meta.Extra = map[string]string{}
	}
	meta.Extra[core.KeyGrid] = strconv.Itoa(p.grid)
}
