package nn

import (
	"fmt"

	"github.com/deepemd/deepemd/internal/kernel"
	"github.com/deepemd/deepemd/internal/tensor"
)

// Depthwise is a k×k depthwise convolution with a bias and an activation. Zero padding keeps
// ⌈side/stride⌉ positions.
type Depthwise struct {
	filters   *tensor.Tensor // [C, 1, k, k]
	weights   []float32      // [k·k, stored channels]
	bias      []float32
	k, stride int
	after     Activation
	outside   []float32      // a row of zeros, above and below the image
	taps      [][]kernel.Tap // by thread
}

// NewDepthwise returns a convolution with filters [C, 1, k, k], k odd, and a bias [C].
func NewDepthwise(filters *tensor.Tensor, bias []float32, stride int, after Activation) *Depthwise {
	k := filters.Shape[2]
	filters.MustShape("filters of a depthwise convolution", len(bias), 1, k, k)
	if k%2 == 0 || stride < 1 {
		panic(fmt.Sprintf("nn: depthwise convolution by filters of %d×%d with stride %d", k, k, stride))
	}
	channels := kernel.Pad(len(bias))
	d := &Depthwise{filters: filters, weights: make([]float32, k*k*channels), bias: make([]float32, channels), k: k, stride: stride, after: after}
	copy(d.bias, bias)
	for c := range bias {
		for at, w := range filters.Row(c) {
			d.weights[at*channels+c] = w
		}
	}
	return d
}

// Channels returns the number of channels.
func (d *Depthwise) Channels() int { return d.filters.Shape[0] }

// Sides returns the height and width of the output.
func (d *Depthwise) Sides(h, w int) (int, int) {
	return (h + d.stride - 1) / d.stride, (w + d.stride - 1) / d.stride
}

// Run computes out = activation(conv(in) + bias).
func (d *Depthwise) Run(c *Context, out, in *Map) {
	h, w := d.Sides(in.H, in.W)
	if in.C != d.Channels() || out.C != in.C || in.N != out.N || out.H != h || out.W != w {
		panic(fmt.Sprintf("nn: depthwise convolution %v of stride %d from %d×%d×%d×%d to %d×%d×%d×%d", d.filters.Shape, d.stride,
			in.N, in.H, in.W, in.C, out.N, out.H, out.W, out.C))
	}
	rows := out.N * out.H
	if d.k == 3 && d.stride <= 2 {
		if len(d.outside) < in.W*in.Channels {
			d.outside = make([]float32, in.W*in.Channels)
		}
		c.Split(rows, func(from, to int) {
			for row := from; row < to; row++ {
				d.row3x3(c.Kernels, out, in, row/out.H, row%out.H)
			}
		})
		return
	}
	if len(d.taps) < c.Threads {
		d.taps = make([][]kernel.Tap, c.Threads)
	}
	c.Split(c.Threads, func(from, to int) {
		for thread := from; thread < to; thread++ {
			for row := thread; row < rows; row += c.Threads {
				d.row(c.Kernels, thread, out, in, row/out.H, row%out.H)
			}
		}
	})
}

// row3x3 computes a row of the output with 3×3 filters.
func (d *Depthwise) row3x3(set *kernel.Set, out, in *Map, n, y int) {
	var rows [3][]float32
	for i := range rows {
		rows[i] = d.outside
		if at := y*d.stride + i - 1; at >= 0 && at < in.H {
			rows[i] = in.Data[in.At(n, at, 0):]
		}
	}
	least, most := -kernel.Unbounded, kernel.Unbounded
	switch d.after {
	case ReLU:
		least = 0
	case ReLU6:
		least, most = 0, 6
	}
	dst := out.Data[out.At(n, y, 0):][:out.W*out.Channels]
	set.DepthwiseRow(dst, rows, d.weights, d.bias, in.W, d.stride, in.Channels, least, most)
	if d.after == HardSwish {
		set.HardSwish(dst)
	}
}

// row computes a row of the output with filters of any size.
func (d *Depthwise) row(set *kernel.Set, thread int, out, in *Map, n, y int) {
	half := d.k / 2
	dst := out.Data[out.At(n, y, 0):][:out.W*out.Channels]
	for x := range out.W {
		taps := d.taps[thread][:0]
		top, left := y*d.stride-half, x*d.stride-half
		for ky := max(0, -top); ky < min(d.k, in.H-top); ky++ {
			for kx := max(0, -left); kx < min(d.k, in.W-left); kx++ {
				taps = append(taps, kernel.Tap{Number: ky*d.k + kx, Offset: in.At(n, top+ky, left+kx)})
			}
		}
		d.taps[thread] = taps
		set.Depthwise(dst[x*out.Channels:], in.Data, d.weights, d.bias, taps, in.Channels)
	}
	d.after.apply(set, dst)
}
