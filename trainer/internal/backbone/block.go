package backbone

import (
	"math/rand/v2"

	"github.com/deepemd/deepemd/internal/kernel"
	"github.com/deepemd/deepemd/internal/nn"
	"github.com/deepemd/deepemd/trainer/internal/bfloat16"
)

// conv is a convolution of maps, or of the network's input, which has no gradient.
type conv interface {
	Forward(ctx *nn.Context, out, in *nn.Map)
	Backward(ctx *nn.Context, din, dout, in *nn.Map, add bool)
	weight() *Param
	filters() bfloat16.Filters // the same weights for mixed precision
}

// block is a residual block. It keeps the input of every convolution and normalization for the
// backward pass.
type block struct {
	out                                 int
	first                               bool // the input is the network's
	conv1, conv2, conv3, shortcut       conv
	norm1, norm2, norm3, normShortcut   *BatchNorm
	in                                  *nn.Map
	z1, y1, z2, y2, z3, zs, sum, pooled *nn.Map
	g1, g2, din                         *nn.Map // gradients of the block's size, and of its input
}

func newBlock(prefix string, first bool, in, out int, r *rand.Rand) *block {
	b := &block{
		out: out, first: first,
		conv2: NewConv(prefix+"conv2.weight", out, out, r),
		conv3: NewConv(prefix+"conv3.weight", out, out, r),
		norm1: NewBatchNorm(prefix+"bn1", out), norm2: NewBatchNorm(prefix+"bn2", out),
		norm3: NewBatchNorm(prefix+"bn3", out), normShortcut: NewBatchNorm(prefix+"downsample.1", out),
	}
	if first {
		b.conv1 = NewInputConv(prefix+"conv1.weight", 3, in, out, r)
		b.shortcut = NewInputConv(prefix+"downsample.0.weight", 1, in, out, r)
	} else {
		b.conv1 = NewConv(prefix+"conv1.weight", in, out, r)
		b.shortcut = NewShortcut(prefix+"downsample.0.weight", in, out, r)
	}
	return b
}

func (b *block) params() []*Param {
	return []*Param{
		b.conv1.weight(), &b.norm1.Weight, &b.norm1.Bias,
		b.conv2.weight(), &b.norm2.Weight, &b.norm2.Bias,
		b.conv3.weight(), &b.norm3.Weight, &b.norm3.Bias,
		b.shortcut.weight(), &b.normShortcut.Weight, &b.normShortcut.Bias,
	}
}

// resize allocates the maps for an input of the size of in.
func (b *block) resize(in *nn.Map) {
	b.in = in
	if b.z1 != nil && b.z1.N == in.N && b.z1.H == in.H && b.z1.W == in.W {
		return
	}
	for _, m := range []**nn.Map{&b.z1, &b.y1, &b.z2, &b.y2, &b.z3, &b.zs, &b.sum, &b.g1, &b.g2} {
		*m = nn.NewMap(in.N, in.H, in.W, b.out)
	}
	b.pooled = nn.NewMap(in.N, in.H/2, in.W/2, b.out)
	if !b.first {
		b.din = nn.NewMap(in.N, in.H, in.W, in.C)
	}
}

func (b *block) forward(ctx *nn.Context, in *nn.Map) *nn.Map {
	b.resize(in)
	b.conv1.Forward(ctx, b.z1, in)
	b.norm1.Measure(ctx, b.z1)
	b.norm1.Apply(ctx, b.y1, b.z1, nil, nn.LeakySlope)

	b.conv2.Forward(ctx, b.z2, b.y1)
	b.norm2.Measure(ctx, b.z2)
	b.norm2.Apply(ctx, b.y2, b.z2, nil, nn.LeakySlope)

	b.shortcut.Forward(ctx, b.zs, in)
	b.normShortcut.Measure(ctx, b.zs)
	b.normShortcut.Apply(ctx, b.sum, b.zs, nil, nn.Linear)

	b.conv3.Forward(ctx, b.z3, b.y2)
	b.norm3.Measure(ctx, b.z3)
	b.norm3.Apply(ctx, b.sum, b.z3, b.sum, nn.LeakySlope)

	nn.MaxPool(ctx, b.pooled, b.sum)
	return b.pooled
}

// backward returns the gradient of the input from the gradient of the output; nil for the first
// block.
func (b *block) backward(ctx *nn.Context, g *nn.Map) *nn.Map {
	Unpool(ctx, b.g1, g, b.sum)
	Unleak(ctx, b.g1, b.sum)

	b.normShortcut.Backward(ctx, b.g2, b.g1, b.zs)
	b.shortcut.Backward(ctx, b.din, b.g2, b.in, false)

	b.norm3.Backward(ctx, b.g1, b.g1, b.z3)
	b.conv3.Backward(ctx, b.g2, b.g1, b.y2, false)
	Unleak(ctx, b.g2, b.y2)

	b.norm2.Backward(ctx, b.g2, b.g2, b.z2)
	b.conv2.Backward(ctx, b.g1, b.g2, b.y1, false)
	Unleak(ctx, b.g1, b.y1)

	b.norm1.Backward(ctx, b.g1, b.g1, b.z1)
	b.conv1.Backward(ctx, b.din, b.g1, b.in, true)
	return b.din
}

// Shortcut is a 1×1 convolution without bias.
type Shortcut struct {
	Weight Param

	in, out        int       // channels, padded
	forward, back  []float32 // packed: [in, out] and [out, in]
	staleF, staleB bool
}

// NewShortcut returns a convolution of cin to cout channels with He-normal weights.
func NewShortcut(name string, cin, cout int, r *rand.Rand) *Shortcut {
	s := &Shortcut{in: kernel.Pad(cin), out: kernel.Pad(cout), staleF: true, staleB: true}
	size := s.in * s.out
	s.forward, s.back = make([]float32, size), make([]float32, size)
	s.Weight = matrixParam(name, size, cin, s.out, cout, cin, 1, 1)
	s.Weight.Decay, s.Weight.Changed = true, func() { s.staleF, s.staleB = true, true }
	s.Weight.drawHeNormal(cout, r)
	return s
}

func (s *Shortcut) weight() *Param { return &s.Weight }

func (s *Shortcut) filters() bfloat16.Filters {
	return bfloat16.Filters{Value: s.Weight.Value, Grad: s.Weight.Grad, Taps: 1, In: s.in, Out: s.out, Stride: s.out}
}

func (s *Shortcut) Forward(ctx *nn.Context, out, in *nn.Map) {
	if s.staleF {
		ctx.Kernels.Pack(s.forward, s.in, s.out, func(row, col int) float32 { return s.Weight.Value[row*s.out+col] })
		s.staleF = false
	}
	product(ctx, out, in, s.forward, s.in, s.out, false)
}

// Backward sets the weights' gradient from the gradient of the output, dout, and the input. It sets
// the input's gradient din, or adds to it if add is set.
func (s *Shortcut) Backward(ctx *nn.Context, din, dout, in *nn.Map, add bool) {
	// Each panel of columns processes all pixels in order, so that the result does not depend on
	// the threads.
	panels := ctx.Kernels.Panels(s.out)
	ctx.Split(panels, func(from, to int) {
		for p := from; p < to; p++ {
			col, width := ctx.Kernels.Panel(s.out, p)
			for row := range in.N * in.H {
				n, y := row/in.H, row%in.H
				ctx.Kernels.GemmT(s.in, in.W, width, in.Data[in.At(n, y, 0):], s.in,
					dout.Data[dout.At(n, y, 0)+col:], s.out, s.Weight.Grad[col:], s.out, row > 0)
			}
		}
	})
	if s.staleB {
		ctx.Kernels.Pack(s.back, s.out, s.in, func(row, col int) float32 { return s.Weight.Value[col*s.out+row] })
		s.staleB = false
	}
	product(ctx, din, dout, s.back, s.out, s.in, add)
}

// product multiplies every pixel of a map with k channels by a packed k×n matrix.
func product(ctx *nn.Context, out, in *nn.Map, packed []float32, k, n int, add bool) {
	ctx.Split(in.N*in.H, func(from, to int) {
		for row := from; row < to; row++ {
			at, to := in.At(row/in.H, row%in.H, 0), out.At(row/in.H, row%in.H, 0)
			ctx.Kernels.Gemm(in.W, k, n, in.Data[at:], k, packed, out.Data[to:], n, add)
		}
	})
}
