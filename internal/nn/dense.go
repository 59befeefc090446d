package nn

import (
	"fmt"

	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/kernel"
	"github.com/deepemd/deepemd/internal/tensor"
)

// End is the end of a dense layer.
type End int

const (
	Biased End = iota // adds the bias
	Added             // adds the bias and the destination: a residual connection
	Gelu              // adds the bias, then applies the activation x·Φ(x)
)

// Dense is a fully connected layer: it multiplies each row of values by the weights.
type Dense struct {
	in, out int
	weight  *tensor.Tensor // [out, in]
	bias    []float32      // [out]
	packed  []float32
}

// NewDense returns a layer with weights [out, in], out a multiple of [kernel.Lanes], and a bias
// [out], which may be nil.
func NewDense(weight *tensor.Tensor, bias []float32) *Dense {
	weight.MustShape("weights of a dense layer", -1, -1)
	d := &Dense{in: weight.Shape[1], out: weight.Shape[0], weight: weight, bias: bias}
	if bias == nil {
		d.bias = make([]float32, d.out)
	}
	if len(d.bias) != d.out || d.out%kernel.Lanes != 0 {
		panic(fmt.Sprintf("nn: dense layer of %d channels, a multiple of %d, with a bias of %d", d.out, kernel.Lanes, len(d.bias)))
	}
	return d
}

// Out returns the number of output values per row.
func (d *Dense) Out() int { return d.out }

// Run computes dst [rows, out] from src [rows, in]. Threads share the columns of the product, so
// that the weights are read once.
func (d *Dense) Run(c *Context, dst, src []float32, rows int, end End) {
	if d.packed == nil {
		d.packed = kernel.NewPacked(kernel.PackedLen(d.in, d.out))
		c.Kernels.Pack(d.packed, d.in, d.out, func(i, o int) float32 { return d.weight.Data[o*d.in+i] })
		d.weight = nil
	}
	ending := kernel.Ending{Bias: d.bias, Slope: Linear, Most: kernel.Unbounded}
	switch end {
	case Added:
		ending.From = dst
	case Gelu: // the kernel adds the bias
		ending.Bias = nil
	}
	c.Split(c.Kernels.Panels(d.out), func(from, to int) {
		for p := from; p < to; p++ {
			c.Kernels.GemmPanel(p, rows, d.in, d.out, src, d.in, d.packed, dst, d.out, &ending)
		}
	})
	if end == Gelu {
		c.Split(rows, func(from, to int) { c.Kernels.Gelu(dst[from*d.out:to*d.out], d.bias, to-from, d.out) })
	}
}

// DenseBytes is a [Dense] layer with 8-bit weights. It rounds each row of its input to 128 levels
// between its smallest and largest value.
type DenseBytes struct{ product bytesProduct }

// NewDenseBytes returns a layer with weights [out, in], both multiples of [kernel.Lanes], and a
// bias [out].
func NewDenseBytes(weight *weights.Bytes, bias []float32) *DenseBytes {
	d := &DenseBytes{newBytesProduct(weight, bias)}
	if p := &d.product; len(weight.Shape) != 2 || p.out != weight.Shape[0] || p.in != weight.Shape[1] {
		panic("nn: dense layer of bytes whose sides are no multiples of kernel.Lanes")
	}
	return d
}

// Out returns the number of output values per row.
func (d *DenseBytes) Out() int { return d.product.out }

// Run computes dst [rows, out] from src [rows, in].
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
