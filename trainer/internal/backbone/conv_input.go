package backbone

import (
	"math/rand/v2"

	"github.com/deepemd/deepemd/internal/kernel"
	"github.com/deepemd/deepemd/internal/nn"
	"github.com/deepemd/deepemd/internal/tensor"
)

// InputConv is a k×k convolution (k odd, padding k/2, no bias) of a network's
// input, whose few channels fill no vector: the neighbourhoods of a row of
// pixels are gathered into a matrix. It has no gradient for its input.
type InputConv struct {
	Weight Param

	k, cin, cout int
	terms        int // k·k·cin, padded
	out          int // cout, padded
	value, grad  []float32
	packed       []float32
	stale        bool
}

// NewInputConv returns a convolution of cin to cout channels with He-normal
// weights.
func NewInputConv(name string, k, cin, cout int, r *rand.Rand) *InputConv {
	c := &InputConv{k: k, cin: cin, cout: cout, terms: kernel.Pad(k * k * cin), out: kernel.Pad(cout), stale: true}
	c.value, c.grad = make([]float32, c.terms*c.out), make([]float32, c.terms*c.out)
	c.packed = make([]float32, kernel.PackedLen(c.terms, c.out))
	std := heNormal(k * k * cout)
	filters := tensor.New(cout, cin, k, k)
	for i := range filters.Data {
		filters.Data[i] = float32(std * r.NormFloat64())
	}
	c.Weight = Param{
		Name: name, Value: c.value, Grad: c.grad, Decay: true,
		Changed: func() { c.stale = true },
		Export: func(values []float32) *tensor.Tensor {
			filters := tensor.New(cout, cin, k, k)
			c.each(func(at, o, term int) { filters.Data[at] = values[term*c.out+o] })
			return filters
		},
		Import: func(values []float32, from *tensor.Tensor) {
			from.MustShape(name, cout, cin, k, k)
			c.each(func(at, o, term int) { values[term*c.out+o] = from.Data[at] })
		},
	}
	c.Weight.Import(c.value, filters)
	return c
}

// Terms are the values of a neighbourhood, and the output channels as the
// weights store them.
func (c *InputConv) Terms() (terms, out int) { return c.k * c.k * c.cin, c.out }

// each calls do for every weight: its index in filters [cout, cin, k, k], its
// output channel, and its term (y, x, input channel).
func (c *InputConv) each(do func(at, o, term int)) {
	taps := c.k * c.k
	for at := range c.cout * c.cin * taps {
		o, i, tap := at/(c.cin*taps), at/taps%c.cin, at%taps
		do(at, o, tap*c.cin+i)
	}
}

// gather writes the neighbourhoods of a row of pixels: [W, terms].
func (c *InputConv) gather(dst []float32, in *nn.Map, n, y int) {
	half, line := c.k/2, c.k*c.cin
	for x := range in.W {
		row := dst[x*c.terms:][:c.terms]
		for dy := range c.k {
			copy(row[dy*line:], in.Data[in.At(n, y+dy-half, x-half):][:line])
		}
		clear(row[c.k*line:])
	}
}

// Forward computes out = conv(in).
func (c *InputConv) Forward(ctx *nn.Context, out, in *nn.Map) {
	if c.stale {
		ctx.Kernels.Pack(c.packed, c.terms, c.out, func(row, col int) float32 { return c.value[row*c.out+col] })
		c.stale = false
	}
	parts := min(sumParts, in.N*in.H)
	buffer := ctx.Buffer(0, parts*in.W*c.terms)
	ctx.Split(parts, func(from, to int) {
		for part := from; part < to; part++ {
			rows := buffer[part*in.W*c.terms:][:in.W*c.terms]
			for row := part * in.N * in.H / parts; row < (part+1)*in.N*in.H/parts; row++ {
				n, y := row/in.H, row%in.H
				c.gather(rows, in, n, y)
				ctx.Kernels.Gemm(in.W, c.terms, c.out, rows, c.terms, c.packed, out.Data[out.At(n, y, 0):], c.out, false)
			}
		}
	})
}

// Backward sets the weights' gradient from that of the output and the input.
func (c *InputConv) Backward(ctx *nn.Context, dout, in *nn.Map) {
	parts := min(sumParts, in.N*in.H)
	buffer := ctx.Buffer(0, parts*in.W*c.terms)
	sums := ctx.Buffer(1, parts*c.terms*c.out)
	ctx.Split(parts, func(from, to int) {
		for part := from; part < to; part++ {
			rows := buffer[part*in.W*c.terms:][:in.W*c.terms]
			sum := sums[part*c.terms*c.out:][:c.terms*c.out]
			first := part * in.N * in.H / parts
			for row := first; row < (part+1)*in.N*in.H/parts; row++ {
				n, y := row/in.H, row%in.H
				c.gather(rows, in, n, y)
				ctx.Kernels.GemmT(c.terms, in.W, c.out, rows, c.terms, dout.Data[dout.At(n, y, 0):], c.out, sum, c.out, row > first)
			}
		}
	})
	copy(c.grad, sums[:len(c.grad)])
	for part := 1; part < parts; part++ {
		for i, v := range sums[part*len(c.grad):][:len(c.grad)] {
			c.grad[i] += v
		}
	}
}

// sumParts is into how many parts a sum over pixels is cut, whatever the number
// of threads, so that the order of additions is always the same.
const sumParts = 16
