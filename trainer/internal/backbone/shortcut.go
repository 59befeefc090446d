package backbone

import (
	"math/rand/v2"

	"github.com/deepemd/deepemd/internal/kernel"
	"github.com/deepemd/deepemd/internal/nn"
	"github.com/deepemd/deepemd/internal/tensor"
)

// Shortcut is a 1×1 convolution without bias.
type Shortcut struct {
	Weight Param

	in, out        int // channels, padded
	value, grad    []float32
	forward, back  []float32 // packed: [in, out] and [out, in]
	staleF, staleB bool
}

// NewShortcut returns a convolution of cin to cout channels with He-normal
// weights.
func NewShortcut(name string, cin, cout int, r *rand.Rand) *Shortcut {
	s := &Shortcut{in: kernel.Pad(cin), out: kernel.Pad(cout), staleF: true, staleB: true}
	size := s.in * s.out
	s.value, s.grad = make([]float32, size), make([]float32, size)
	s.forward, s.back = make([]float32, size), make([]float32, size)
	std := heNormal(cout)
	filters := tensor.New(cout, cin, 1, 1)
	for i := range filters.Data {
		filters.Data[i] = float32(std * r.NormFloat64())
	}
	s.Weight = Param{
		Name: name, Value: s.value, Grad: s.grad, Decay: true,
		Changed: func() { s.staleF, s.staleB = true, true },
		Export: func(values []float32) *tensor.Tensor {
			filters := tensor.New(cout, cin, 1, 1)
			for at := range filters.Data {
				filters.Data[at] = values[at%cin*s.out+at/cin]
			}
			return filters
		},
		Import: func(values []float32, from *tensor.Tensor) {
			from.MustShape(name, cout, cin, 1, 1)
			for at, v := range from.Data {
				values[at%cin*s.out+at/cin] = v
			}
		},
	}
	s.Weight.Import(s.value, filters)
	return s
}

// Channels are those of input and output as the weights store them.
func (s *Shortcut) Channels() (in, out int) { return s.in, s.out }

// Forward computes out = conv(in).
func (s *Shortcut) Forward(ctx *nn.Context, out, in *nn.Map) {
	if s.staleF {
		ctx.Kernels.Pack(s.forward, s.in, s.out, func(row, col int) float32 { return s.value[row*s.out+col] })
		s.staleF = false
	}
	product(ctx, out, in, s.forward, s.in, s.out, false)
}

// Backward sets the weights' gradient from that of the output, dout, and the
// input; and the input's gradient din, or adds to it when add is set.
func (s *Shortcut) Backward(ctx *nn.Context, din, dout, in *nn.Map, add bool) {
	// Each panel of columns goes through all pixels in order, whoever does it.
	panels := ctx.Kernels.Panels(s.out)
	ctx.Split(panels, func(from, to int) {
		for p := from; p < to; p++ {
			col, width := ctx.Kernels.Panel(s.out, p)
			for row := range in.N * in.H {
				n, y := row/in.H, row%in.H
				ctx.Kernels.GemmT(s.in, in.W, width, in.Data[in.At(n, y, 0):], s.in,
					dout.Data[dout.At(n, y, 0)+col:], s.out, s.grad[col:], s.out, row > 0)
			}
		}
	})
	if s.staleB {
		ctx.Kernels.Pack(s.back, s.out, s.in, func(row, col int) float32 { return s.value[col*s.out+row] })
		s.staleB = false
	}
	product(ctx, din, dout, s.back, s.out, s.in, add)
}

// product multiplies every pixel of a map, of k channels, by a packed k×n matrix.
func product(ctx *nn.Context, out, in *nn.Map, packed []float32, k, n int, add bool) {
	ctx.Split(in.N*in.H, func(from, to int) {
		for row := from; row < to; row++ {
			at, to := in.At(row/in.H, row%in.H, 0), out.At(row/in.H, row%in.H, 0)
			ctx.Kernels.Gemm(in.W, k, n, in.Data[at:], k, packed, out.Data[to:], n, add)
		}
	})
}
