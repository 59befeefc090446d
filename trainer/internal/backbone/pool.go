package backbone

import (
	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/internal/nn"
)

// gridPool averages the last map to grid×grid positions if it has more, as inference does.
type gridPool struct {
	grid int

	whole    *nn.Map // the last map of the network
	values   []float32
	output   *nn.Map
	gradient []float32 // of the whole map
	pools    bool      // whether the last map had more positions
}

// forward returns the averaged map, or m if it needs no averaging.
func (p *gridPool) forward(ctx *nn.Context, m *nn.Map) *nn.Map {
	p.whole, p.pools = m, p.grid > 0 && (m.H > p.grid || m.W > p.grid)
	if !p.pools {
		return m
	}
	size, cells := m.H*m.W*m.C, p.grid*p.grid*m.C
	if len(p.gradient) != m.N*size {
		p.gradient, p.values = make([]float32, m.N*size), make([]float32, m.N*cells)
	}
	m.Store(p.gradient) // its memory is free until backward
	ctx.Split(m.N, func(from, to int) {
		for i := from; i < to; i++ {
			embed.PoolMap(p.values[i*cells:][:cells], p.gradient[i*size:][:size], m.H, m.W, m.C, p.grid)
		}
	})
	p.output = p.output.Fit(m.N, p.grid, p.grid, m.C)
	p.output.Load(p.values)
	return p.output
}

// backward returns the gradient of the whole map from that of the averaged one.
func (p *gridPool) backward(ctx *nn.Context, features []float32) []float32 {
	if !p.pools {
		return features
	}
	m := p.whole
	size, cells := m.H*m.W*m.C, p.grid*p.grid*m.C
	ctx.Split(m.N, func(from, to int) {
		for i := from; i < to; i++ {
			Unaverage(p.gradient[i*size:][:size], features[i*cells:][:cells], m.H, m.W, m.C, p.grid)
		}
	})
	return p.gradient
}
