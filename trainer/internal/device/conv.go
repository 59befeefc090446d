package device

import (
	"github.com/deepemd/deepemd/internal/kernel"
	"github.com/deepemd/deepemd/internal/nn"
)

// layer is a convolution in float32.
type layer interface {
	Conv
	forward(ctx *nn.Context, out, in *nn.Map)
	// gradient sets the weights' gradient from the gradient of the output, dout, and the input.
	gradient(ctx *nn.Context, dout, in *nn.Map)
}

// inner is a convolution of maps, whose input has a gradient.
type inner interface {
	layer
	// backward sets the input's gradient, or adds to it. dout must have a border of zeros.
	backward(ctx *nn.Context, din, dout *nn.Map, add bool)
}

func newLayer(weight *Param, first bool) Conv {
	cin, k := weight.shape[1], weight.shape[2]
	f := &filters{weight, kernel.Pad(cin), kernel.Pad(weight.shape[0]), true, true}
	weight.Changed = func() { f.staleF, f.staleB = true, true }
	switch size := f.in * f.out; {
	case first:
		terms := kernel.Pad(k * k * cin)
		return &inputConv{f, k, cin, terms, make([]float32, kernel.PackedLen(terms, f.out))}
	case k == 1:
		return &shortcut{f, make([]float32, size), make([]float32, size)}
	}
	taps := nn.Taps{In: f.in, Out: f.out, Data: weight.Value}
	return &winograd{filters: f, taps: taps, rotated: nn.NewTaps(f.out, f.in), zero: make([]float32, max(f.in, f.out))}
}

// filters are the weights of a layer that packs them for its products.
type filters struct {
	weight         *Param
	in, out        int  // channels, padded
	staleF, staleB bool // whether they must be packed again
}

func (f *filters) Param() *Param { return f.weight }

// gradientTiles is the number of tiles per pass of the weights' gradient: more than in a forward
// pass, because each pass reads and writes all sums.
const gradientTiles = 256

// winograd is a 3×3 convolution by Winograd's F(4×4, 3×3), or F(2×2, 3×3) for few pixels. Its
// gradients pass through the algorithm's transforms.
type winograd struct {
	*filters
	taps, rotated   nn.Taps // rotated are the filters of the data gradient
	front, back     *nn.Winograd
	t               int       // side of the output tiles
	zero            []float32 // a bias of zeros
	productGradient []float32 // dU: [(t+2)², In, Out]
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

func (c *winograd) prepare(m *nn.Map) {
	if t := chooseTile(m); c.t != t {
		c.t, c.front, c.back = t, nil, nil
		c.productGradient = make([]float32, (t+2)*(t+2)*nn.Plane(c.in*c.out))
	}
}

func (c *winograd) forward(ctx *nn.Context, out, in *nn.Map) {
	c.prepare(in)
	switch {
	case c.front == nil:
		c.front = nn.NewWinograd(ctx, c.taps, c.t)
	case c.staleF:
		c.front.Pack(ctx, c.taps)
	}
	c.staleF = false
	c.front.Run(ctx, out, in, c.zero, false, nn.Linear)
}

func (c *winograd) backward(ctx *nn.Context, din, dout *nn.Map, add bool) {
	c.prepare(dout)
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
func (c *winograd) rotate(ctx *nn.Context) {
	in, out := c.in, c.out
	const square = 16 // channels that are swapped while they are in the cache
	ctx.Each(9*in/square, func(strip int) {
		tap, i0 := strip/(in/square), strip%(in/square)*square
		src, dst := c.taps.Data[tap*in*out:], c.rotated.Data[(8-tap)*in*out:]
		for o0 := 0; o0 < out; o0 += square {
			for i := i0; i < i0+square; i++ {
				for o, v := range src[i*out+o0:][:square] {
					dst[(o0+o)*in+i] = v
				}
			}
		}
	})
}

// gradient computes dg = Gᵀ·(Σ V ⊗ dM)·G over all tiles. V is the transformed input, and dM
// the output's gradient before the output transform.
func (c *winograd) gradient(ctx *nn.Context, dout, in *nn.Map) {
	c.prepare(in)
	t, side := c.t, c.t+2
	elements, cin, cout := side*side, c.in, c.out
	across, down := (in.W+t-1)/t, (in.H+t-1)/t
	tiles := in.N * down * across
	block := min(gradientTiles, tiles)
	planeV, planeM, planeU := nn.Plane(block*cin), nn.Plane(block*cout), nn.Plane(cin*cout)
	v := ctx.Buffer(0, elements*planeV)
	m := ctx.Buffer(1, elements*planeM)
	for first := 0; first < tiles; first += block {
		count := min(block, tiles-first)
		ctx.Each(count, func(i int) {
			tile := first + i
			n, y, x := tile/(down*across), tile/across%down*t, tile%across*t
			ctx.Kernels.WinogradInput(t, v[i*cin:], in.Data[in.At(n, y-1, x-1):], cin, in.Row(), planeV)
			ctx.Kernels.WinogradOutputAdjoint(t, m[i*cout:], dout.Data[dout.At(n, y, x):], cout, dout.Row(), planeM)
		})
		ctx.Each(elements, func(e int) {
			ctx.Kernels.GemmT(cin, count, cout, v[e*planeV:], cin, m[e*planeM:], cout,
				c.productGradient[e*planeU:], cout, first > 0)
		})
	}
	ctx.Each(cin, func(i int) {
		ctx.Kernels.WinogradFilterAdjoint(t, c.weight.Grad[i*cout:], c.productGradient[i*cout:], cout, cin*cout, planeU)
	})
}

// shortcut is a 1×1 convolution.
type shortcut struct {
	*filters
	front, back []float32 // packed: [in, out] and [out, in]
}

func (s *shortcut) forward(ctx *nn.Context, out, in *nn.Map) {
	if s.staleF {
		ctx.Kernels.Pack(s.front, s.in, s.out, func(row, col int) float32 { return s.weight.Value[row*s.out+col] })
		s.staleF = false
	}
	product(ctx, out, in, s.front, s.in, s.out, false)
}

func (s *shortcut) gradient(ctx *nn.Context, dout, in *nn.Map) {
	// Each panel of columns processes all pixels in order, so that the result does not depend on
	// the threads.
	panels := ctx.Kernels.Panels(s.out)
	ctx.Each(panels, func(p int) {
		col, width := ctx.Kernels.Panel(s.out, p)
		for row := range in.N * in.H {
			n, y := row/in.H, row%in.H
			ctx.Kernels.GemmT(s.in, in.W, width, in.Data[in.At(n, y, 0):], s.in,
				dout.Data[dout.At(n, y, 0)+col:], s.out, s.weight.Grad[col:], s.out, row > 0)
		}
	})
}

func (s *shortcut) backward(ctx *nn.Context, din, dout *nn.Map, add bool) {
	if s.staleB {
		ctx.Kernels.Pack(s.back, s.out, s.in, func(row, col int) float32 { return s.weight.Value[col*s.out+row] })
		s.staleB = false
	}
	product(ctx, din, dout, s.back, s.out, s.in, add)
}

// product multiplies every pixel of a map with k channels by a packed k×n matrix.
func product(ctx *nn.Context, out, in *nn.Map, packed []float32, k, n int, add bool) {
	ctx.Each(in.N*in.H, func(row int) {
		at, to := in.At(row/in.H, row%in.H, 0), out.At(row/in.H, row%in.H, 0)
		ctx.Kernels.Gemm(in.W, k, n, in.Data[at:], k, packed, out.Data[to:], n, add)
	})
}

// inputConv is a convolution of a network's input, whose few channels do not fill a vector. It
// gathers the neighborhoods of a row of pixels into a matrix.
type inputConv struct {
	*filters
	k, cin int
	terms  int // k·k·cin, padded
	packed []float32
}

// gather writes the neighborhoods of a row of pixels: [W, terms].
func (c *inputConv) gather(dst []float32, in *nn.Map, n, y int) {
	half, line := c.k/2, c.k*c.cin
	for x := range in.W {
		row := dst[x*c.terms:][:c.terms]
		for dy := range c.k {
			copy(row[dy*line:], in.Data[in.At(n, y+dy-half, x-half):][:line])
		}
		clear(row[c.k*line:])
	}
}

func (c *inputConv) forward(ctx *nn.Context, out, in *nn.Map) {
	if c.staleF {
		ctx.Kernels.Pack(c.packed, c.terms, c.out, func(row, col int) float32 { return c.weight.Value[row*c.out+col] })
		c.staleF = false
	}
	parts := min(sumParts, in.N*in.H)
	buffer := ctx.Buffer(0, parts*in.W*c.terms)
	ctx.Each(parts, func(part int) {
		rows := buffer[part*in.W*c.terms:][:in.W*c.terms]
		for row := part * in.N * in.H / parts; row < (part+1)*in.N*in.H/parts; row++ {
			n, y := row/in.H, row%in.H
			c.gather(rows, in, n, y)
			ctx.Kernels.Gemm(in.W, c.terms, c.out, rows, c.terms, c.packed, out.Data[out.At(n, y, 0):], c.out, false)
		}
	})
}

func (c *inputConv) gradient(ctx *nn.Context, dout, in *nn.Map) {
	parts := min(sumParts, in.N*in.H)
	buffer := ctx.Buffer(0, parts*in.W*c.terms)
	sums := ctx.Buffer(1, parts*c.terms*c.out)
	ctx.Each(parts, func(part int) {
		rows := buffer[part*in.W*c.terms:][:in.W*c.terms]
		sum := sums[part*c.terms*c.out:][:c.terms*c.out]
		first := part * in.N * in.H / parts
		for row := first; row < (part+1)*in.N*in.H/parts; row++ {
			n, y := row/in.H, row%in.H
			c.gather(rows, in, n, y)
			ctx.Kernels.GemmT(c.terms, in.W, c.out, rows, c.terms, dout.Data[dout.At(n, y, 0):], c.out, sum, c.out, row > first)
		}
	})
	grad := c.weight.Grad
	copy(grad, sums)
	for part := 1; part < parts; part++ {
		kernel.AddTimes(grad, 1, sums[part*len(grad):])
	}
}

// sumParts is the number of parts of a sum over pixels. It does not depend on the threads, so that
// the order of additions is always the same.
const sumParts = 16
