package nn

import (
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/tensor"
)

// Convolution is a convolution with a bias and a leaky ReLU.
type Convolution interface {
	// Channels returns the number of output channels.
	Channels() int
	// Sides returns the height and width of the output.
	Sides(h, w int) (int, int)
	// Run computes out = leaky(conv(in) + bias), or leaky(out + conv(in) + bias) if add is set.
	// slope is the activation's slope below zero.
	Run(c *Context, out, in *Map, add bool, slope float32)
}

// Pointwise is a 1×1 convolution with any activation.
type Pointwise interface {
	Convolution
	// RunPast computes out = activation(conv(in) + bias + past); past has the layout of out and may
	// be nil.
	RunPast(c *Context, out, in, past *Map, after Activation)
}

// PointwiseBytes is a 1×1 convolution of any stride with 8-bit weights, see [DenseBytes]: the
// channels of a pixel are a row.
type PointwiseBytes struct {
	channels, from int // output and input channels
	stride         int
	product        bytesProduct
}

// NewPointwiseBytes returns a convolution with filters [Cout, Cin, 1, 1] and a bias [Cout].
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
		for count > 0 {
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

// ReadPointwise reads a 1×1 convolution with byte filters and folds in its batch normalization, see
// [ReadConv]. It returns nil after an error, or if the filters are floats or larger.
func ReadPointwise(r *weights.Reader, conv, norm string, out, in, stride int, epsilon float64) *PointwiseBytes {
	filters := r.Bytes(conv+".weight", out, in, 1, 1)
	if filters == nil {
		return nil
	}
	// The scale of a filter multiplies the scale of its bytes.
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
