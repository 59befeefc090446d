package nn

import (
	"fmt"

	"github.com/deepemd/deepemd/internal/kernel"
	"github.com/deepemd/deepemd/internal/tensor"
)

// LeakySlope is the slope below zero of ResNet-12's activation.
const LeakySlope = 0.1

// Linear is the slope without activation.
const Linear = 1

// Conv is a 3×3 convolution with padding 1 and stride 1, a bias and a leaky ReLU. It chooses an
// algorithm by the size of the map, and packs its filters when an algorithm first runs.
type Conv struct {
	filters *tensor.Tensor // [Cout, Cin, 3, 3]
	bias    []float32      // [kernel.Pad(Cout)]
	direct  bool           // only the direct algorithm

	plans map[algorithm]plan
}

type algorithm int

const (
	direct     algorithm = 0
	winogradF2 algorithm = 2
	winogradF4 algorithm = 4
	bfloat16   algorithm = 16
)

// plan runs a convolution with packed filters for one algorithm and set of kernels. If add is set, it
// adds the content of out before the activation.
type plan func(c *Context, out, in *Map, bias []float32, add bool, slope float32)

// NewConv returns a convolution with filters [Cout, Cin, 3, 3] and a bias [Cout]. lowMemory selects
// the direct algorithm, whose packed filters have the size of the filters; Winograd's take 1.8 (F2)
// or 4 times (F4) as much.
func NewConv(filters *tensor.Tensor, bias []float32, lowMemory bool) *Conv {
	filters.MustShape("filters of a 3×3 convolution", len(bias), -1, 3, 3)
	padded := make([]float32, kernel.Pad(len(bias)))
	copy(padded, bias)
	return &Conv{filters: filters, bias: padded, direct: lowMemory, plans: map[algorithm]plan{}}
}

// Channels returns the number of output channels.
func (c *Conv) Channels() int { return c.filters.Shape[0] }

// Sides returns the height and width of the output, which are the same as of the input.
func (c *Conv) Sides(h, w int) (int, int) { return h, w }

// Run computes out = leaky(conv(in) + bias), or leaky(out + conv(in) + bias) if add is set. slope
// is the activation's slope below zero.
func (c *Conv) Run(ctx *Context, out, in *Map, add bool, slope float32) {
	if in.C != c.filters.Shape[1] || out.C != c.filters.Shape[0] || in.N != out.N || in.H != out.H || in.W != out.W {
		panic(fmt.Sprintf("nn: convolution %v from %d×%d×%d×%d to %d×%d×%d×%d", c.filters.Shape,
			in.N, in.H, in.W, in.C, out.N, out.H, out.W, out.C))
	}
	how := c.choose(ctx.Kernels, in)
	p, ok := c.plans[how]
	if !ok {
		p = c.pack(ctx, in.Channels, how)
		c.plans[how] = p
	}
	p(ctx, out, in, c.bias, add, slope)
}

// choose returns the algorithm that was the fastest in measurements. Larger tiles save more
// products. But small maps do not fill them, and reading 36 matrices of filters takes longer than
// the products. Of the small maps, those with 7 and 8 pixels almost fill two tiles. For very few
// pixels, the plain filters are read fastest.
func (c *Conv) choose(set *kernel.Set, in *Map) algorithm {
	switch {
	case c.direct, in.Channels%kernel.Lanes != 0: // the channels of a network's input do not fill a vector
		return direct
	case set.HasSplits():
		return bfloat16
	case in.N*in.H*in.W <= set.FewPixels():
		return direct
	}
	if side := min(in.H, in.W); side <= 6 || side == 9 || side == 10 {
		return winogradF2
	}
	return winogradF4
}

func (c *Conv) pack(ctx *Context, channels int, how algorithm) plan {
	switch how {
	case direct:
		s := NewStrided(c.filters, c.bias[:c.Channels()], 1)
		return func(c *Context, out, in *Map, _ []float32, add bool, slope float32) { s.Run(c, out, in, add, slope) }
	case bfloat16:
		return NewBFloat16(TapsOf(c.filters, channels)).Run
	}
	return NewWinograd(ctx, TapsOf(c.filters, channels), int(how)).Run
}

// Taps are the filters of a 3×3 convolution in the layout of packing and training: [3, 3, In, Out],
// with the channel numbers of the maps. Output channels are contiguous and the padding is zero.
type Taps struct {
	In, Out int
	Data    []float32
}

// NewTaps returns zero taps. in and out are the stored channels of input and output maps; out is a
// multiple of [kernel.Lanes].
func NewTaps(in, out int) Taps { return Taps{In: in, Out: out, Data: make([]float32, 9*in*out)} }

// TapsOf converts filters [Cout, Cin, 3, 3].
func TapsOf(filters *tensor.Tensor, in int) Taps {
	cout, cin := filters.Shape[0], filters.Shape[1]
	t := NewTaps(in, kernel.Pad(cout))
	for o := range cout {
		for i := range cin {
			for tap, w := range filters.Data[(o*cin+i)*9:][:9] {
				t.Data[(tap*t.In+i)*t.Out+o] = w
			}
		}
	}
	return t
}
