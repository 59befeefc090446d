package backbone

import (
	"math/rand/v2"

	"github.com/deepemd/deepemd/internal/nn"
)

// Dropout sets values to zero with probability Rate and scales the others by
// 1/(1 − Rate), so that their expectation stays.
type Dropout struct {
	Rate float64
	mask []float32
}

// Forward draws a mask and applies it to x in place.
func (d *Dropout) Forward(x []float32, r *rand.Rand) {
	if cap(d.mask) < len(x) {
		d.mask = make([]float32, len(x))
	}
	d.mask = d.mask[:len(x)]
	keep := float32(1 / (1 - d.Rate))
	for i := range d.mask {
		d.mask[i] = keep
		if r.Float64() < d.Rate {
			d.mask[i] = 0
		}
	}
	d.Backward(x)
}

// Backward applies the mask of the last Forward to the gradient in place.
func (d *Dropout) Backward(g []float32) {
	for i, m := range d.mask {
		g[i] *= m
	}
}

// DropBlock sets squares of Size×Size pixels of a channel to zero (Ghiasi, Lin,
// Le, "DropBlock", 2018), so many that a share of about Rate of all pixels goes,
// and scales the others so that as much remains in sum as there was pixels.
type DropBlock struct {
	Rate float64
	Size int

	mask  []float32 // as the map's data
	scale float32
}

// Forward draws a mask and applies it to m in place.
func (d *DropBlock) Forward(ctx *nn.Context, m *nn.Map, r *rand.Rand) {
	if len(d.mask) != len(m.Data) {
		d.mask = make([]float32, len(m.Data))
	}
	size := min(d.Size, m.H, m.W)
	// A square starts where it fits: the paper's equation 1.
	fits := (m.H - size + 1) * (m.W - size + 1)
	gamma := d.Rate / float64(size*size) * float64(m.H*m.W) / float64(fits)
	for i := range d.mask {
		d.mask[i] = 1
	}
	for n := range m.N {
		for y := range m.H - size + 1 {
			for x := range m.W - size + 1 {
				for c := range m.C {
					if r.Float64() < gamma {
						d.drop(m, n, y, x, c, size)
					}
				}
			}
		}
	}
	kept := 0.0
	for n := range m.N {
		for y := range m.H {
			for x := range m.W {
				for _, v := range d.mask[m.At(n, y, x):][:m.C] {
					kept += float64(v)
				}
			}
		}
	}
	d.scale = float32(float64(m.N*m.H*m.W*m.C) / max(kept, 1))
	d.Backward(ctx, m)
}

func (d *DropBlock) drop(m *nn.Map, n, y, x, c, size int) {
	for dy := range size {
		for dx := range size {
			d.mask[m.At(n, y+dy, x+dx)+c] = 0
		}
	}
}

// Backward applies the mask of the last Forward to the gradient in place.
func (d *DropBlock) Backward(ctx *nn.Context, g *nn.Map) {
	ctx.Split(g.N*g.H, func(from, to int) {
		for row := from; row < to; row++ {
			at := g.At(row/g.H, row%g.H, 0)
			for i, v := range d.mask[at:][:g.W*g.Channels] {
				g.Data[at+i] *= v * d.scale
			}
		}
	})
}
