package nn

import "github.com/deepemd/deepemd/internal/kernel"

// directBlock limits the terms of one pass over a panel of filters, so that the panel stays in the
// L1 cache for all rows of the map.
const directBlock = 512

// passTerms returns the number of terms per pass, such that all passes have the same size.
func passTerms(terms int) int {
	block := terms
	for parts := 2; block > directBlock; parts++ {
		if terms%parts == 0 {
			block = terms / parts
		}
	}
	return block
}

// Direct is a convolution by three matrix products, one for each row of the filter. Three
// neighboring pixels are contiguous in memory, so a row of the map is a matrix of 3·Cin columns
// with overlapping rows, and nothing is copied.
type Direct struct {
	terms  int // 3·Cin, of one row of the filter
	block  int
	out    int
	packed []float32
}

func NewDirect(set *kernel.Set, taps Taps) *Direct {
	p := &Direct{terms: 3 * taps.In, out: taps.Out, block: passTerms(3 * taps.In)}
	p.packed = kernel.NewPacked(3 * kernel.PackedLen(p.terms, p.out))
	p.Pack(set, taps)
	return p
}

// Pack replaces the filters by taps of the same size.
func (p *Direct) Pack(set *kernel.Set, taps Taps) {
	for from := 0; from < 3*p.terms; from += p.block {
		rows := taps.Data[from*p.out:]
		set.Pack(p.part(from), p.block, p.out, func(row, col int) float32 { return rows[row*p.out+col] })
	}
}

// part returns the packed filters of the block of terms that starts at from.
func (p *Direct) part(from int) []float32 { return p.packed[from*p.out:][:p.block*p.out] }

// Run implements plan.
func (p *Direct) Run(c *Context, out, in *Map, bias []float32, add bool, slope float32) {
	c.Split(in.N*in.H, func(from, to int) {
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

// rows computes the sums for a range of the rows of all images.
func (p *Direct) rows(c *Context, out, in *Map, from, to int, add bool) {
	for i := range c.Kernels.Panels(p.out) {
		col, width := c.Kernels.Panel(p.out, i)
		for dy := range 3 {
			for term := 0; term < p.terms; term += p.block {
				panel := p.part(dy*p.terms + term)[col*p.block:]
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
