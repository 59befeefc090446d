package nn

import (
	"deepemd/core/kernel"
	"deepemd/core/tensor"
)

// directBlock bounds the terms of one pass over a panel of filters, so that the
// panel stays in the nearest cache while all rows of the map go by.
const directBlock = 512

// directPlan computes a convolution as three matrix products, one a row of the
// filter: three neighbouring pixels lie contiguous in memory, so a row of the
// map is a matrix of 3·Cin columns whose rows overlap, and nothing is copied.
type directPlan struct {
	terms  int // 3·Cin: of one row of the filter
	block  int // terms of one pass
	out    int // kernel.Pad(Cout)
	packed []float32
}

func newDirect(set *kernel.Set, filters *tensor.Tensor, channels int) *directPlan {
	cout, cin := filters.Shape[0], filters.Shape[1]
	p := &directPlan{terms: 3 * channels, out: kernel.Pad(cout)}
	p.block = p.terms
	for parts := 2; p.block > directBlock; parts++ {
		if p.terms%parts == 0 {
			p.block = p.terms / parts
		}
	}
	p.packed = make([]float32, 3*kernel.PackedLen(p.terms, p.out))
	for dy := range 3 {
		for from := 0; from < p.terms; from += p.block {
			set.Pack(p.part(dy, from), p.block, p.out, func(row, col int) float32 {
				dx, i := (from+row)/channels, (from+row)%channels
				if col >= cout || i >= cin {
					return 0
				}
				return filters.Data[((col*cin+i)*3+dy)*3+dx]
			})
		}
	}
	return p
}

// part is the packed filters of one row and one block of terms.
func (p *directPlan) part(dy, from int) []float32 {
	return p.packed[(dy*p.terms+from)*p.out:][:p.block*p.out]
}

func (p *directPlan) run(c *Context, out, in *Map, bias []float32, add bool, slope float32) {
	c.split(in.N*in.H, func(from, to int) {
		p.rows(c, out, in, from, to, add)
		for row := from; row < to; row++ {
			at := out.At(row/in.H, row%in.H, 0)
			for range out.W {
				pixel := out.Data[at:][:p.out]
				c.Kernels.Finish(pixel, pixel, bias, nil, p.out, slope)
				at += p.out
			}
		}
	})
}

// rows adds up the products for a range of the rows of all pictures.
func (p *directPlan) rows(c *Context, out, in *Map, from, to int, add bool) {
	for i := range c.Kernels.Panels(p.out) {
		col, width := c.Kernels.Panel(p.out, i)
		for dy := range 3 {
			for term := 0; term < p.terms; term += p.block {
				panel := p.part(dy, term)[col*p.block:]
				accumulate := add || dy > 0 || term > 0
				for row := from; row < to; row++ {
					n, y := row/in.H, row%in.H
					a := in.window(n, y+dy, 0)[term:]
					dst := out.Data[out.At(n, y, 0)+col:]
					c.Kernels.GemmPanel(width, in.W, p.block, a, in.Channels, panel, dst, out.Channels, accumulate)
				}
			}
		}
	}
}
