package nn

import (
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/tensor"
)

// Convolution is a convolution with a bias and a leaky ReLU.
type Convolution interface {
	// Channels is the number of channels of the output.
	Channels() int
	// Sides returns the height and width of the output for those of the input.
	Sides(h, w int) (int, int)
	// Run computes out = leaky(conv(in) + bias), or leaky(out + conv(in) + bias) when add
	// is set, with the activation's slope below zero.
	Run(c *Context, out, in *Map, add bool, slope float32)
}

// Pointwise is a convolution of 1×1 with any activation behind it.
type Pointwise interface {
	Convolution
	// RunPast computes out = activation(conv(in) + bias + past), where past is stored as
	// out is, and nil for none.
	RunPast(c *Context, out, in, past *Map, after Activation)
}

// PointwiseBytes is a 1×1 convolution of any stride that multiplies bytes, as [DenseBytes]
// does: a pixel's channels are a row.
type PointwiseBytes struct {
	channels, from int // of the output and the input
	stride         int
	product        bytesProduct
}

// NewPointwiseBytes returns a convolution by filters [Cout, Cin, 1, 1] with a bias [Cout].
func NewPointwiseBytes(filters *weights.Bytes, bias []float32, stride int) *PointwiseBytes {
	return &PointwiseBytes{filters.Shape[0], filters.Shape[1], stride, newBytesProduct(filters, bias)}
}

// Channels implements Convolution.
func (p *PointwiseBytes) Channels() int { return p.channels }

// Sides implements Convolution.
func (p *PointwiseBytes) Sides(h, w int) (int, int) {
	return (h + p.stride - 1) / p.stride, (w + p.stride - 1) / p.stride
}

// Run implements Convolution.
func (p *PointwiseBytes) Run(c *Context, out, in *Map, add bool, slope float32) {
	h, w := p.Sides(in.H, in.W)
	if in.C != p.from || in.Channels != p.product.in || out.C != p.channels || in.N != out.N || out.H != h || out.W != w {
		panic("nn: 1×1 convolution between maps of other shapes")
	}
	p.product.pack(c.Kernels)
	a := c.byteRows(out.N*h*w, in.Channels)
	c.Split(out.N*h, func(from, to int) {
		for row := from; row < to; row++ {
			a.quantize(c.Kernels, row*w, in.Data[in.At(row/h, row%h*p.stride, 0):], w, in.Channels, p.stride*in.Channels)
		}
	})
	p.product.run(c, a, func(sums []int32, at, count, col, width int) {
		columns := p.product.columns.From(col)
		for count > 0 { // a row of pixels at a time
			row, x := at/w, at%w
			pixels := min(count, w-x)
			c.Kernels.FinishBytes(out.Data[out.At(row/h, row%h, x)+col:], out.Channels, sums, pixels, width, a.low[at:], a.step[at:], columns, add, slope)
			sums, at, count = sums[pixels*width:], at+pixels, count-pixels
		}
	})
}

// RunPast implements Pointwise.
func (p *PointwiseBytes) RunPast(c *Context, out, in, past *Map, after Activation) {
	if past != nil {
		copy(out.Data, past.Data)
	}
	slope := float32(Linear)
	if after == ReLU {
		slope = 0
	}
	p.Run(c, out, in, past != nil, slope)
	if after == ReLU6 || after == HardSwish {
		after.Run(c, out)
	}
}

// ReadPointwise reads a 1×1 convolution with the batch normalisation behind it folded in,
// as [ReadConvWith] does, whose filters are bytes. It returns nil after an error, and where
// the file has floats or larger filters.
func ReadPointwise(r *weights.Reader, conv, norm string, out, in, stride int, epsilon float64) *PointwiseBytes {
	filters := r.Bytes(conv+".weight", out, in, 1, 1)
	if filters == nil {
		return nil
	}
	// What scales a filter scales its bytes' scale.
	channels := filters.Shape[0]
	bn := readBatchNorm(r, norm, channels, epsilon)
	if r.Err != nil {
		return nil
	}
	scale, bias := bn.Fold(tensor.Of(filters.Scale, channels, 1, 1, 1))
	scaled := *filters
	scaled.Scale = scale.Data
	return NewPointwiseBytes(&scaled, bias, stride)
}
