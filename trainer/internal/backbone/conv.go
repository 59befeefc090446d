package backbone

import (
	"math/rand/v2"

	"github.com/deepemd/deepemd/internal/kernel"
	"github.com/deepemd/deepemd/internal/nn"
	"github.com/deepemd/deepemd/trainer/internal/bfloat16"
)

// gradientTiles is the number of tiles per pass of the weights' gradient: more than in a forward
// pass, because each pass reads and writes all sums.
const gradientTiles = 256

// Conv is a 3×3 convolution with padding 1, stride 1 and no bias, by Winograd's F(4×4, 3×3), or
// F(2×2, 3×3) for few pixels. Its gradients pass through the algorithm's transforms.
type Conv struct {
	Weight Param

	taps, gradient  nn.Taps
	rotated         nn.Taps // the filters of the data gradient
	forward, back   *nn.Winograd
	t               int // side of the output tiles
	staleF, staleB  bool
	zero            []float32 // a bias of zeros
	productGradient []float32 // dU: [(t+2)², In, Out]
}

// NewConv returns a convolution of cin to cout channels with He-normal weights.
func NewConv(name string, cin, cout int, r *rand.Rand) *Conv {
	in, out := kernel.Pad(cin), kernel.Pad(cout)
	w := newParam(name, 9*in*out, func(i int) int { return (i%9*in+i/9%cin)*out + i/9/cin }, cout, cin, 3, 3)
	c := &Conv{
		taps: nn.Taps{In: in, Out: out, Data: w.Value}, gradient: nn.Taps{In: in, Out: out, Data: w.Grad}, rotated: nn.NewTaps(out, in),
		zero: make([]float32, max(in, out)), staleF: true, staleB: true,
	}
	w.Decay, w.Changed = true, func() { c.staleF, c.staleB = true, true }
	w.drawHeNormal(9*cout, r)
	c.Weight = w
	return c
}

func (c *Conv) weight() *Param { return &c.Weight }

func (c *Conv) filters() bfloat16.Filters {
	return bfloat16.Filters{Value: c.Weight.Value, Grad: c.Weight.Grad, Taps: 9, In: c.taps.In, Out: c.taps.Out, Stride: c.taps.Out}
}

// filterTiles is the number of tiles whose products take as long as the transforms and the gradient
// of one filter element.
const filterTiles = 64

// chooseTile returns the side of an output tile. Larger tiles need fewer products, but fill small
// maps less and have more filter elements.
func chooseTile(m *nn.Map) int {
	cost := func(t int) int {
		tiles := m.N * ((m.H + t - 1) / t) * ((m.W + t - 1) / t)
		return (t + 2) * (t + 2) * (tiles + filterTiles)
	}
	if cost(2) < cost(4) {
		return 2
	}
	return 4
}

func (c *Conv) prepare(m *nn.Map) {
	if t := chooseTile(m); c.t != t {
		c.t, c.forward, c.back = t, nil, nil
		c.productGradient = make([]float32, (t+2)*(t+2)*nn.Plane(c.taps.In*c.taps.Out))
	}
}

func (c *Conv) Forward(ctx *nn.Context, out, in *nn.Map) {
	c.prepare(in)
	switch {
	case c.forward == nil:
		c.forward = nn.NewWinograd(ctx, c.taps, c.t)
	case c.staleF:
		c.forward.Pack(ctx, c.taps)
	}
	c.staleF = false
	c.forward.Run(ctx, out, in, c.zero, false, nn.Linear)
}

// Backward sets the weights' gradient from the gradient of the output, dout, and the input. It sets
// the input's gradient din, or adds to it if add is set; din may be nil. dout must have a border of
// zeros.
func (c *Conv) Backward(ctx *nn.Context, din, dout, in *nn.Map, add bool) {
	c.prepare(in)
	c.weightGradient(ctx, dout, in)
	if din == nil {
		return
	}
	if c.back == nil || c.staleB {
		c.rotate(ctx)
		if c.back == nil {
			c.back = nn.NewWinograd(ctx, c.rotated, c.t)
		} else {
			c.back.Pack(ctx, c.rotated)
		}
		c.staleB = false
	}
	c.back.Run(ctx, din, dout, c.zero, add, nn.Linear)
}

// rotate rotates the filters by 180° and swaps their channels: they then convolve the output's
// gradient to the input's.
func (c *Conv) rotate(ctx *nn.Context) {
	in, out := c.taps.In, c.taps.Out
	const square = 16 // channels that are swapped while they are in the cache
	ctx.Split(9*in/square, func(from, to int) {
		for strip := from; strip < to; strip++ {
			tap, i0 := strip/(in/square), strip%(in/square)*square
			src, dst := c.taps.Data[tap*in*out:], c.rotated.Data[(8-tap)*in*out:]
			for o0 := 0; o0 < out; o0 += square {
				for i := i0; i < i0+square; i++ {
					for o, v := range src[i*out+o0:][:square] {
						dst[(o0+o)*in+i] = v
					}
				}
			}
		}
	})
}

// weightGradient computes dg = Gᵀ·(Σ V ⊗ dM)·G over all tiles. V is the transformed input, and dM
// the output's gradient before the output transform.
func (c *Conv) weightGradient(ctx *nn.Context, dout, in *nn.Map) {
	t, side := c.t, c.t+2
	elements, cin, cout := side*side, c.taps.In, c.taps.Out
	across, down := (in.W+t-1)/t, (in.H+t-1)/t
	tiles := in.N * down * across
	block := min(gradientTiles, tiles)
	planeV, planeM, planeU := nn.Plane(block*cin), nn.Plane(block*cout), nn.Plane(cin*cout)
	v := ctx.Buffer(0, elements*planeV)
	m := ctx.Buffer(1, elements*planeM)
	for first := 0; first < tiles; first += block {
		count := min(block, tiles-first)
		ctx.Split(count, func(from, to int) {
			for i := from; i < to; i++ {
				tile := first + i
				n, y, x := tile/(down*across), tile/across%down*t, tile%across*t
				ctx.Kernels.WinogradInput(t, v[i*cin:], in.Data[in.At(n, y-1, x-1):], cin, in.Row(), planeV)
				ctx.Kernels.WinogradOutputAdjoint(t, m[i*cout:], dout.Data[dout.At(n, y, x):], cout, dout.Row(), planeM)
			}
		})
		ctx.Split(elements, func(from, to int) {
			for e := from; e < to; e++ {
				ctx.Kernels.GemmT(cin, count, cout, v[e*planeV:], cin, m[e*planeM:], cout,
					c.productGradient[e*planeU:], cout, first > 0)
			}
		})
	}
	ctx.Split(cin, func(from, to int) {
		for i := from; i < to; i++ {
			ctx.Kernels.WinogradFilterAdjoint(t, c.gradient.Data[i*cout:], c.productGradient[i*cout:], cout, cin*cout, planeU)
		}
	})
}

// InputConv is a k×k convolution (k odd, padding k/2, no bias) of a network's input, whose few
// channels do not fill a vector. It gathers the neighborhoods of a row of pixels into a matrix, and
// has no gradient for its input.
type InputConv struct {
	Weight Param

	k, cin int
	terms  int // k·k·cin, padded
	out    int // output channels, padded
	packed []float32
	stale  bool
}

// NewInputConv returns a convolution of cin to cout channels with He-normal weights.
func NewInputConv(name string, k, cin, cout int, r *rand.Rand) *InputConv {
	c := &InputConv{k: k, cin: cin, terms: kernel.Pad(k * k * cin), out: kernel.Pad(cout), stale: true}
	c.packed = make([]float32, kernel.PackedLen(c.terms, c.out))
	taps := k * k
	at := func(i int) int { return (i%taps*cin+i/taps%cin)*c.out + i/taps/cin }
	c.Weight = newParam(name, c.terms*c.out, at, cout, cin, k, k)
	c.Weight.Decay, c.Weight.Changed = true, func() { c.stale = true }
	c.Weight.drawHeNormal(taps*cout, r)
	return c
}

func (c *InputConv) weight() *Param { return &c.Weight }

func (c *InputConv) filters() bfloat16.Filters {
	return bfloat16.Filters{Value: c.Weight.Value, Grad: c.Weight.Grad, Taps: 1, In: c.k * c.k * c.cin, Out: c.out, Stride: c.out}
}

// gather writes the neighborhoods of a row of pixels: [W, terms].
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

func (c *InputConv) Forward(ctx *nn.Context, out, in *nn.Map) {
	if c.stale {
		ctx.Kernels.Pack(c.packed, c.terms, c.out, func(row, col int) float32 { return c.Weight.Value[row*c.out+col] })
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

// Backward sets the weights' gradient from the gradient of the output and the input.
func (c *InputConv) Backward(ctx *nn.Context, _, dout, in *nn.Map, _ bool) {
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
	grad := c.Weight.Grad
	copy(grad, sums)
	for part := 1; part < parts; part++ {
		for i, v := range sums[part*len(grad):][:len(grad)] {
			grad[i] += v
		}
	}
}

// sumParts is the number of parts of a sum over pixels. It does not depend on the threads, so that
// the order of additions is always the same.
const sumParts = 16

const (
	outerRows  = 128 // rows of the factors that stay in the cache
	outerChunk = 64  // rows of the product per unit of work
)

// outer computes dw = xᵀ·dy, or adds to it: the gradient of weights [in, out] from the inputs x
// [rows, in] and the gradient of the outputs dy [rows, out]. in and out are multiples of the lanes.
// Every sum is in the order of the rows.
func outer(ctx *nn.Context, dw, x, dy []float32, rows, in, out int, add bool) {
	panels, chunks := ctx.Kernels.Panels(out), (in+outerChunk-1)/outerChunk
	ctx.Split(panels*chunks, func(from, to int) {
		for unit := from; unit < to; unit++ {
			col, width := ctx.Kernels.Panel(out, unit/chunks)
			first := unit % chunks * outerChunk
			terms := min(outerChunk, in-first)
			for row := 0; row < rows; row += outerRows {
				ctx.Kernels.GemmT(terms, min(outerRows, rows-row), width, x[row*in+first:], in, dy[row*out+col:], out, dw[first*out+col:], out, add || row > 0)
			}
		}
	})
}
