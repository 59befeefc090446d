package backbone

import (
	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/internal/kernel"
	"github.com/deepemd/deepemd/internal/nn"
)

// gridPool averages a larger last map to grid×grid positions, as in inference.
type gridPool struct {
	grid int

	whole    *nn.Map // the last map of the network
	values   []float32
	output   *nn.Map
	gradient []float32 // of the whole map
	pools    bool      // whether the last map was larger
}

// shrinks reports whether a map of h×w positions is averaged.
func (p *gridPool) shrinks(h, w int) bool { return p.grid > 0 && (h > p.grid || w > p.grid) }

// forward returns the averaged map, or m if it is not larger.
func (p *gridPool) forward(ctx *nn.Context, m *nn.Map) *nn.Map {
	p.whole, p.pools = m, p.shrinks(m.H, m.W)
	if !p.pools {
		return m
	}
	size, cells := m.H*m.W*m.C, p.grid*p.grid*m.C
	if len(p.gradient) != m.N*size {
		p.gradient, p.values = make([]float32, m.N*size), make([]float32, m.N*cells)
	}
	m.Store(p.gradient) // its memory is unused until backward
	ctx.Each(m.N, func(i int) {
		embed.PoolMap(p.values[i*cells:][:cells], p.gradient[i*size:][:size], m.H, m.W, m.C, p.grid)
	})
	p.output = p.output.Fit(m.N, p.grid, p.grid, m.C)
	p.output.Load(p.values)
	return p.output
}

// backward returns the gradient of the whole map from the gradient of the averaged map.
func (p *gridPool) backward(ctx *nn.Context, features []float32) []float32 {
	if !p.pools {
		return features
	}
	m := p.whole
	size, cells := m.H*m.W*m.C, p.grid*p.grid*m.C
	ctx.Each(m.N, func(i int) {
		Unaverage(p.gradient[i*size:][:size], features[i*cells:][:cells], m.H, m.W, m.C, p.grid)
	})
	return p.gradient
}

// AveragePool computes the mean over each image's pixels: y [N, Channels], with padding.
func AveragePool(y []float32, m *nn.Map) {
	clear(y[:m.N*m.Channels])
	scale := 1 / float32(m.H*m.W)
	for n := range m.N {
		sum := y[n*m.Channels:][:m.Channels]
		for yy := range m.H {
			for x := range m.W {
				for c, v := range m.Data[m.At(n, yy, x):][:m.Channels] {
					sum[c] += v
				}
			}
		}
		for c := range sum {
			sum[c] *= scale
		}
	}
}

// AveragePoolGradient writes the gradient of a map [N, H, W, C], without border and padding, from
// the gradient of its average, dy [N, channels].
func AveragePoolGradient(dst, dy []float32, n, h, w, c, channels int) {
	for i := range n {
		Unaverage(dst[i*h*w*c:], dy[i*channels:], h, w, c, 1)
	}
}

// Pyramid has the levels of a feature pyramid (DeepEMD, Table 3): for each level s, a map is
// averaged to s×s nodes. They precede the nodes of the map itself, as in core/embed.
type Pyramid []int

// Inputs returns the number of maps per image.
func (Pyramid) Inputs() int { return 1 }

// Nodes returns the number of nodes of a map.
func (p Pyramid) Nodes(h, w int) int {
	n := h * w
	for _, s := range p {
		n += s * s
	}
	return n
}

// Forward writes the nodes of a map [h, w, c]: dst is [Nodes, c].
func (p Pyramid) Forward(dst, src []float32, h, w, c int) {
	levels := (p.Nodes(h, w) - h*w) * c
	clear(dst[:levels])
	p.each(h, w, func(node, pixel int, share float32) { kernel.AddTimes(dst[node*c:][:c], share, src[pixel*c:]) })
	copy(dst[levels:], src[:h*w*c])
}

// Backward sets the gradient of the map from the gradient of the nodes.
func (p Pyramid) Backward(dsrc, dnodes []float32, h, w, c int) {
	copy(dsrc[:h*w*c], dnodes[(p.Nodes(h, w)-h*w)*c:])
	p.each(h, w, func(node, pixel int, share float32) { kernel.AddTimes(dsrc[pixel*c:][:c], share, dnodes[node*c:]) })
}

// each calls do for every pixel of every node of the levels, with the weight of the pixel. The windows
// are as in adaptive average pooling: from ⌊i·n/s⌋ to ⌈(i+1)·n/s⌉.
func (p Pyramid) each(h, w int, do func(node, pixel int, share float32)) {
	node := 0
	for _, s := range p {
		for y := range s {
			for x := range s {
				top, bottom := y*h/s, ((y+1)*h+s-1)/s
				left, right := x*w/s, ((x+1)*w+s-1)/s
				share := 1 / float32((bottom-top)*(right-left))
				for py := top; py < bottom; py++ {
					for px := left; px < right; px++ {
						do(node, py*w+px, share)
					}
				}
				node++
			}
		}
	}
}

// Unaverage sets the gradient of a map [h, w, c] from the gradient of its adaptive averages [n, n,
// c].
func Unaverage(dsrc, dcells []float32, h, w, c, n int) {
	clear(dsrc[:h*w*c])
	Pyramid{n}.each(h, w, func(cell, pixel int, share float32) { kernel.AddTimes(dsrc[pixel*c:][:c], share, dcells[cell*c:]) })
}
