package nn

import (
	"github.com/deepemd/deepemd/core/weights"
)

// DenseBytes is a [Dense] layer that multiplies bytes: its weights have 8 bits, and each
// row of its input is rounded to 128 values between its smallest and its largest.
type DenseBytes struct{ product bytesProduct }

// NewDenseBytes returns a layer of weights [out, in], both multiples of [kernel.Lanes],
// and a bias [out].
func NewDenseBytes(weight *weights.Bytes, bias []float32) *DenseBytes {
	d := &DenseBytes{newBytesProduct(weight, bias)}
	if p := &d.product; len(weight.Shape) != 2 || p.out != weight.Shape[0] || p.in != weight.Shape[1] {
		panic("nn: dense layer of bytes whose sides are no multiples of kernel.Lanes")
	}
	return d
}

// Out is the number of values of a row that the layer writes.
func (d *DenseBytes) Out() int { return d.product.out }

// Run computes the rows [rows, out] of dst from those of src, [rows, in].
func (d *DenseBytes) Run(c *Context, dst, src []float32, rows int, end End) {
	p := &d.product
	p.pack(c.Kernels)
	a := c.byteRows(rows, p.in)
	c.Split(rows, func(from, to int) { a.quantize(c.Kernels, from, src[from*p.in:], to-from, p.in, p.in) })
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
