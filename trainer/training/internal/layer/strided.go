package layer

import (
	"fmt"
	"math/rand/v2"

	"github.com/deepemd/deepemd/core/kernel"
	"github.com/deepemd/deepemd/core/nn"
	"github.com/deepemd/deepemd/core/tensor"
	"github.com/deepemd/deepemd/trainer/training/optim"
)

const (
	// seenForward is how many values of what filters see are multiplied at a time, by one
	// thread, in a forward pass, and seenBackward in a backward pass, by all together.
	seenForward  = 1 << 18
	seenBackward = 1 << 20
)

// Strided is a k×k convolution of any stride without bias, padded by zeros to keep
// ⌈side/stride⌉ positions, as nn.Strided is in inference. For 3×3 filters of stride 1
// [Conv] is faster.
type Strided struct {
	Weight optim.Param

	cin, cout, k, stride int
	channels             int // of the input, as stored
	terms, out           int // channels·k·k and cout, padded
	packed, back         []float32
	staleF, staleB       bool
}

// NewStrided returns a convolution of cin to cout channels by k×k filters, k odd, with
// He-normal weights (fan out). input says that it reads a network's input, whose channels
// are not padded.
func NewStrided(name string, cin, cout, k, stride int, input bool, r *rand.Rand) *Strided {
	if k%2 == 0 || stride < 1 {
		panic(fmt.Sprintf("layer: convolution by filters of %d×%d with stride %d", k, k, stride))
	}
	s := &Strided{cin: cin, cout: cout, k: k, stride: stride, channels: kernel.Pad(cin), out: kernel.Pad(cout), staleF: true, staleB: true}
	if input {
		s.channels = cin
	}
	s.terms = kernel.Pad(k * k * s.channels)
	size := s.terms * s.out
	s.packed = make([]float32, size)
	if !input { // of which nobody wants the gradient
		s.back = make([]float32, size)
	}
	s.Weight = optim.Param{
		Name: name, Value: make([]float32, size), Grad: make([]float32, size), Decay: true,
		Changed: func() { s.staleF, s.staleB = true, true },
		Export: func(values []float32) *tensor.Tensor {
			filters := tensor.New(cout, cin, k, k)
			s.each(func(at, weight int) { filters.Data[at] = values[weight] })
			return filters
		},
		Import: func(values []float32, from *tensor.Tensor) {
			from.MustShape(name, cout, cin, k, k)
			s.each(func(at, weight int) { values[weight] = from.Data[at] })
		},
	}
	std := heNormal(k * k * cout)
	s.each(func(_, weight int) { s.Weight.Value[weight] = float32(std * r.NormFloat64()) })
	return s
}

// each calls do for every weight: its index in filters [cout, cin, k, k], and in
// [terms, out], whose terms are in the order y, x, input channel.
func (s *Strided) each(do func(at, weight int)) {
	taps := s.k * s.k
	for at := range s.cout * s.cin * taps {
		o, i, tap := at/(s.cin*taps), at/taps%s.cin, at%taps
		do(at, (tap*s.channels+i)*s.out+o)
	}
}

// Sides returns the height and width of the output for those of the input.
func (s *Strided) Sides(h, w int) (int, int) {
	return (h + s.stride - 1) / s.stride, (w + s.stride - 1) / s.stride
}

// runs calls do for every stretch of values that the filters see along a row of the
// output, where they lie in what is seen, [width, terms], and in the map.
func (s *Strided) runs(in *nn.Map, n, y, width int, do func(seen, at, length int)) {
	half := s.k / 2
	for x := range width {
		for ky := range s.k {
			top, left := y*s.stride-half+ky, x*s.stride-half
			from, to := max(left, 0), min(left+s.k, in.W)
			if top < 0 || top >= in.H || from >= to {
				continue
			}
			do(x*s.terms+(ky*s.k+from-left)*s.channels, in.At(n, top, from), (to-from)*s.channels)
		}
	}
}

// look copies what the filters see along a row of the output.
func (s *Strided) look(seen []float32, in *nn.Map, n, y, width int) {
	clear(seen[:width*s.terms])
	s.runs(in, n, y, width, func(to, from, length int) { copy(seen[to:to+length], in.Data[from:]) })
}

// Forward computes out = conv(in).
func (s *Strided) Forward(ctx *nn.Context, out, in *nn.Map) {
	if s.staleF {
		ctx.Kernels.Pack(s.packed, s.terms, s.out, func(row, col int) float32 { return s.Weight.Value[row*s.out+col] })
		s.staleF = false
	}
	rows := out.N * out.H
	each := max(1, min(seenForward/(s.terms*out.W), (rows+ctx.Threads-1)/ctx.Threads))
	parts := (rows + each - 1) / each
	seen := ctx.Buffer(0, ctx.Threads*each*out.W*s.terms)
	sums := ctx.Buffer(1, ctx.Threads*each*out.W*s.out)
	ctx.Split(ctx.Threads, func(from, to int) {
		for thread := from; thread < to; thread++ {
			seen, sums := seen[thread*each*out.W*s.terms:], sums[thread*each*out.W*s.out:]
			for part := thread; part < parts; part += ctx.Threads {
				first, last := part*each, min(rows, (part+1)*each)
				for row := first; row < last; row++ {
					s.look(seen[(row-first)*out.W*s.terms:], in, row/out.H, row%out.H, out.W)
				}
				ctx.Kernels.Gemm((last-first)*out.W, s.terms, s.out, seen, s.terms, s.packed, sums, s.out, false)
				for row := first; row < last; row++ {
					copy(out.Data[out.At(row/out.H, row%out.H, 0):][:out.W*s.out], sums[(row-first)*out.W*s.out:])
				}
			}
		}
	})
}

// Backward sets the weights' gradient from that of the output, dout, and the input; and
// the input's gradient din, or adds to it when add is set. A nil din is left out.
func (s *Strided) Backward(ctx *nn.Context, din, dout, in *nn.Map, add bool) {
	if din != nil && s.staleB {
		ctx.Kernels.Pack(s.back, s.out, s.terms, func(row, col int) float32 { return s.Weight.Value[col*s.out+row] })
		s.staleB = false
	}
	if din != nil && !add {
		clear(din.Data)
	}
	// Some pictures at a time, whatever the number of threads: sums have one order.
	pixels := dout.H * dout.W
	each := max(1, seenBackward/(pixels*s.terms))
	for first := 0; first < dout.N; first += each {
		count := min(each, dout.N-first)
		seen, g := ctx.Buffer(0, count*pixels*s.terms), ctx.Buffer(1, count*pixels*s.out)
		ctx.Split(count*dout.H, func(from, to int) {
			for row := from; row < to; row++ {
				n, y := first+row/dout.H, row%dout.H
				s.look(seen[row*dout.W*s.terms:], in, n, y, dout.W)
				copy(g[row*dout.W*s.out:][:dout.W*s.out], dout.Data[dout.At(n, y, 0):])
			}
		})
		outer(ctx, s.Weight.Grad, seen, g, count*pixels, s.terms, s.out, first > 0)
		if din == nil {
			continue
		}
		ctx.Split(count, func(from, to int) {
			rows := (to - from) * pixels
			ctx.Kernels.Gemm(rows, s.out, s.terms, g[from*pixels*s.out:], s.out, s.back, seen[from*pixels*s.terms:], s.terms, false)
			for row := from * dout.H; row < to*dout.H; row++ {
				s.spread(din, seen[row*dout.W*s.terms:], first+row/dout.H, row%dout.H, dout.W)
			}
		})
	}
}

// spread adds the gradient of what the filters see along a row of the output to that of
// the input.
func (s *Strided) spread(din *nn.Map, seen []float32, n, y, width int) {
	s.runs(din, n, y, width, func(from, to, length int) {
		sums := din.Data[to:][:length]
		for i, v := range seen[from:][:length] {
			sums[i] += v
		}
	})
}
