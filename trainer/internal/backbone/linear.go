package backbone

import (
	"math"
	"math/rand/v2"

	"github.com/deepemd/deepemd/internal/kernel"
	"github.com/deepemd/deepemd/internal/nn"
	"github.com/deepemd/deepemd/internal/tensor"
)

// Linear is a fully connected layer: [N, In] to [N, Out], y = x·W + b.
type Linear struct {
	Weight, Bias Param

	cin, cout int // without padding
	In, Out   int // as stored: padded

	packed, back   []float32
	staleF, staleB bool
}

// NewLinear returns a layer of cin to cout features with PyTorch's default
// weights, uniform in ±1/√cin.
func NewLinear(name string, cin, cout int, r *rand.Rand) *Linear {
	l := &Linear{cin: cin, cout: cout, In: kernel.Pad(cin), Out: kernel.Pad(cout), staleF: true, staleB: true}
	size := l.In * l.Out
	l.packed, l.back = make([]float32, size), make([]float32, size)
	l.Weight = Param{
		Name: name + ".weight", Value: make([]float32, size), Grad: make([]float32, size), Decay: true,
		Changed: func() { l.staleF, l.staleB = true, true },
		Export: func(values []float32) *tensor.Tensor {
			t := tensor.New(cout, cin)
			for at := range t.Data {
				t.Data[at] = values[at%cin*l.Out+at/cin]
			}
			return t
		},
		Import: func(values []float32, from *tensor.Tensor) {
			from.MustShape(name+".weight", cout, cin)
			for at, v := range from.Data {
				values[at%cin*l.Out+at/cin] = v
			}
		},
	}
	l.Bias = vectorParam(name+".bias", cout)
	bound := 1 / math.Sqrt(float64(cin))
	weights := tensor.New(cout, cin)
	for _, values := range [][]float32{weights.Data, l.Bias.Value[:cout]} {
		for i := range values {
			values[i] = float32(bound * (2*r.Float64() - 1))
		}
	}
	l.Weight.Import(l.Weight.Value, weights)
	return l
}

// Forward computes y [n, Out] from x [n, In].
func (l *Linear) Forward(ctx *nn.Context, y, x []float32, n int) {
	if l.staleF {
		ctx.Kernels.Pack(l.packed, l.In, l.Out, func(row, col int) float32 { return l.Weight.Value[row*l.Out+col] })
		l.staleF = false
	}
	ctx.Split(n, func(from, to int) {
		for i := from; i < to; i++ {
			copy(y[i*l.Out:][:l.Out], l.Bias.Value)
		}
		ctx.Kernels.Gemm(to-from, l.In, l.Out, x[from*l.In:], l.In, l.packed, y[from*l.Out:], l.Out, true)
	})
}

// Backward sets the gradients of weights and bias from that of the output, dy
// [n, Out], and the input x; and the input's gradient dx [n, In], unless it is nil.
func (l *Linear) Backward(ctx *nn.Context, dx, dy, x []float32, n int) {
	outer(ctx, l.Weight.Grad, x, dy, n, l.In, l.Out, false)
	ctx.Split(l.Out/kernel.Lanes, func(from, to int) {
		from, to = from*kernel.Lanes, to*kernel.Lanes
		clear(l.Bias.Grad[from:to])
		for i := range n {
			for o, g := range dy[i*l.Out+from : i*l.Out+to] {
				l.Bias.Grad[from+o] += g
			}
		}
	})
	if dx == nil {
		return
	}
	if l.staleB {
		ctx.Kernels.Pack(l.back, l.Out, l.In, func(row, col int) float32 { return l.Weight.Value[col*l.Out+row] })
		l.staleB = false
	}
	ctx.Split(n, func(from, to int) {
		ctx.Kernels.Gemm(to-from, l.Out, l.In, dy[from*l.Out:], l.Out, l.back, dx[from*l.In:], l.In, false)
	})
}
