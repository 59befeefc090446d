package nn

import (
	"fmt"

	"github.com/deepemd/deepemd/core/kernel"
	"github.com/deepemd/deepemd/core/weights"
)

// DenseBytes is a [Dense] layer that multiplies bytes: its weights have 8 bits, and each
// row of its input is rounded to 128 values between its smallest and its largest.
type DenseBytes struct{ product bytesProduct }

// NewDenseBytes returns a layer of weights [out, in], both multiples of [kernel.Lanes],
// and a bias [out].
func NewDenseBytes(weight *weights.Bytes, bias []float32) *DenseBytes {
	return &DenseBytes{newBytesProduct(weight, bias)}
}

// Out is the number of values of a row that the layer writes.
func (d *DenseBytes) Out() int { return d.product.out }

// Run computes the rows [rows, out] of dst from those of src, [rows, in].
func (d *DenseBytes) Run(c *Context, dst, src []float32, rows int, end End) {
	p := &d.product
	p.pack(c.Kernels)
	a := c.byteRows(rows, p.in)
	c.Split(rows, func(from, to int) { a.quantize(c.Kernels, from, src[from*p.in:], to-from, p.in) })
	columns := p.columns
	if end == Gelu {
		columns.Bias = p.zeros // Gelu adds it
	}
	p.run(c, a, func(sums []int32, at, count, col, width int) {
		c.Kernels.FinishBytes(dst[at*p.out+col:], p.out, sums, count, width, a.low[at:], a.step[at:], columns.From(col), end == Added, Linear)
	})
	if end == Gelu {
		c.Split(rows, func(from, to int) { c.Kernels.Gelu(dst[from*p.out:to*p.out], p.columns.Bias, to-from, p.out) })
	}
}

// bytesProduct is the product of rows of activations and weights of bytes.
type bytesProduct struct {
	in, out int
	weight  *weights.Bytes // until it is packed
	packed  []int8
	columns kernel.ByteColumns
	zeros   []float32 // [out]
}

// newBytesProduct is of weights [out, in, …], whose further axes are 1, and a bias [out].
func newBytesProduct(weight *weights.Bytes, bias []float32) bytesProduct {
	out := weight.Shape[0]
	in := len(weight.Values) / out
	if in != weight.Shape[1] || in%kernel.Lanes != 0 || out%kernel.Lanes != 0 || len(bias) != out {
		panic(fmt.Sprintf("nn: product of bytes of shape %v, multiples of %d, with a bias of %d", weight.Shape, kernel.Lanes, len(bias)))
	}
	p := bytesProduct{in: in, out: out, weight: weight, zeros: make([]float32, out)}
	p.columns = kernel.ByteColumns{Scale: weight.Scale, Total: make([]float32, out), Bias: bias}
	for o := range out {
		total := 0
		for _, w := range weight.Values[o*in:][:in] {
			total += int(w)
		}
		p.columns.Total[o] = weight.Scale[o] * float32(total)
	}
	return p
}

func (p *bytesProduct) pack(set *kernel.Set) {
	if p.packed == nil {
		p.packed = make([]int8, p.in*p.out)
		set.PackBytes(p.packed, p.in, p.out, func(i, o int) int8 { return p.weight.Values[o*p.in+i] })
		p.weight = nil
	}
}

// bytesRows is how many rows are multiplied by a panel at a time: their sums stay in the
// cache.
const bytesRows = 64

// run computes the products of all rows. Threads share the columns; end is called for the
// sums of count rows from at on, of width columns from col on.
func (p *bytesProduct) run(c *Context, a *byteRows, end func(sums []int32, at, count, col, width int)) {
	panels := c.Kernels.Panels(p.out)
	threads := min(c.Threads, panels)
	for len(a.sums) < threads {
		a.sums = append(a.sums, make([]int32, bytesRows*c.Kernels.Widest()))
	}
	c.Split(threads, func(from, to int) {
		for thread := from; thread < to; thread++ {
			sums := a.sums[thread]
			for panel := thread * panels / threads; panel < (thread+1)*panels/threads; panel++ {
				col, width := c.Kernels.Panel(p.out, panel)
				for at := 0; at < a.rows; at += bytesRows {
					count := min(bytesRows, a.rows-at)
					c.Kernels.BytePanel(width, whole(count), p.in, a.values[at*p.in:], p.packed[col*p.in:], sums)
					end(sums, at, count, col, width)
				}
			}
		}
	})
}

// byteRows are rows of activations, and what sums of them need.
type byteRows struct {
	rows      int
	values    []uint8 // filled up to a multiple of kernel.ByteRows rows, with any values
	low, step []float32
	sums      [][]int32 // of each thread
}

// quantize writes count rows of k values from at on, which are one after the other in src.
func (a *byteRows) quantize(set *kernel.Set, at int, src []float32, count, k int) {
	set.Quantize(a.values[at*k:], a.low[at:], a.step[at:], src, count, k, k)
}

// byteRows returns memory for rows of k activations, which the next layer may use, too.
func (c *Context) byteRows(rows, k int) *byteRows {
	a := &c.activations
	a.rows = rows
	if need := whole(rows) * k; cap(a.values) < need {
		a.values = make([]uint8, need)
	} else {
		a.values = a.values[:need]
	}
	a.low, a.step = grow(a.low, rows), grow(a.step, rows)
	return a
}

// whole is a number of rows that products of bytes take.
func whole(rows int) int { return (rows + kernel.ByteRows - 1) / kernel.ByteRows * kernel.ByteRows }
