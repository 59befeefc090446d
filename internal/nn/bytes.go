package nn

import (
	"slices"

	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/kernel"
)

// bytesProduct multiplies rows of activations by byte weights, with channels padded for the
// kernels.
type bytesProduct struct {
	in, out int
	weight  *weights.Bytes // nil once it is packed
	packed  []int8
	columns kernel.ByteColumns
	zeros   []float32 // [out]
}

// newBytesProduct returns the product with weights [out, in] or [out, in, 1, 1] and a bias [out].
func newBytesProduct(weight *weights.Bytes, bias []float32) bytesProduct {
	cout, cin := weight.Shape[0], weight.Shape[1]
	if len(weight.Values) != cout*cin || len(bias) != cout {
		panic("nn: product of bytes of another shape than its bias has")
	}
	p := bytesProduct{in: kernel.Pad(cin), out: kernel.Pad(cout), weight: weight}
	values := make([]float32, 4*p.out)
	p.columns = kernel.ByteColumns{Scale: values[:p.out], Total: values[p.out:][:p.out], Bias: values[2*p.out:][:p.out]}
	p.zeros = values[3*p.out:]
	copy(p.columns.Scale, weight.Scale)
	copy(p.columns.Bias, bias)
	for o := range cout {
		total := 0
		for _, w := range weight.Values[o*cin:][:cin] {
			total += int(w)
		}
		p.columns.Total[o] = weight.Scale[o] * float32(total)
	}
	return p
}

func (p *bytesProduct) pack(set *kernel.Set) {
	if p.packed != nil {
		return
	}
	cout, cin := p.weight.Shape[0], p.weight.Shape[1]
	p.packed = make([]int8, p.in*p.out)
	set.PackBytes(p.packed, p.in, p.out, func(o int) []int8 {
		if o >= cout {
			return nil
		}
		return p.weight.Values[o*cin:][:cin]
	})
	p.weight = nil
}

// bytesRows is the number of rows that are multiplied by a panel at a time, so that their sums stay
// in the cache.
const bytesRows = 64

// run computes the products of all rows, shared by the threads. It calls end for the sums of count
// rows starting at row at, and of width columns starting at col.
func (p *bytesProduct) run(c *Context, a *byteRows, end func(sums []int32, at, count, col, width int)) {
	blocks := (a.rows + bytesRows - 1) / bytesRows
	units := c.Kernels.Panels(p.out) * blocks
	threads := min(c.Threads, units)
	for len(a.sums) < threads {
		a.sums = append(a.sums, make([]int32, bytesRows*c.Kernels.Widest()))
	}
	c.Split(threads, func(from, to int) {
		for thread := from; thread < to; thread++ {
			sums := a.sums[thread]
			for unit := thread * units / threads; unit < (thread+1)*units/threads; unit++ {
				col, width := c.Kernels.Panel(p.out, unit/blocks)
				at := unit % blocks * bytesRows
				count := min(bytesRows, a.rows-at)
				c.Kernels.BytePanel(width, wholeRows(count), p.in, a.values[at*p.in:], p.packed[col*p.in:], sums)
				end(sums, at, count, col, width)
			}
		}
	})
}

// byteRows holds rows of activations and scratch memory for their sums.
type byteRows struct {
	rows      int
	values    []uint8 // padded to a multiple of kernel.ByteRows, with any values
	low, step []float32
	sums      [][]int32
}

// quantize writes count rows of k values, stride apart in src, starting at row at.
func (a *byteRows) quantize(set *kernel.Set, at int, src []float32, count, k, stride int) {
	set.Quantize(a.values[at*k:], a.low[at:], a.step[at:], src, count, k, stride)
}

// byteRows returns memory for rows of k activations. The next layer reuses it.
func (c *Context) byteRows(rows, k int) *byteRows {
	a := &c.activations
	a.rows = rows
	if need := wholeRows(rows) * k; cap(a.values) < need {
		a.values = make([]uint8, need)
	} else {
		a.values = a.values[:need]
	}
	a.low, a.step = slices.Grow(a.low[:0], rows)[:rows], slices.Grow(a.step[:0], rows)[:rows]
	return a
}

// wholeRows rounds a number of rows up to a multiple of kernel.ByteRows.
func wholeRows(rows int) int {
	return (rows + kernel.ByteRows - 1) / kernel.ByteRows * kernel.ByteRows
}
