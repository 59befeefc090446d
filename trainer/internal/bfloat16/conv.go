package bfloat16

import (
	"fmt"
	"sync"

	"github.com/deepemd/deepemd/internal/kernel"
	"github.com/deepemd/deepemd/internal/nn"
)

// Filters are the weights of a convolution and their gradient, both float32 [Taps, In, Stride]: for
// each tap and input channel, Out output channels and padding up to Stride.
type Filters struct {
	Value, Grad []float32
	Taps        int // 9 for a 3×3 convolution, 1 for a 1×1
	In, Out     int
	Stride      int
	// First is the map's input channel of the first weights. The channels before it, and after In
	// more, have no weights.
	First int
}

// Conv is a convolution with padding, stride 1 and no bias. Call Invalidate after its weights have
// changed.
type Conv struct {
	Filters
	kernels             *Kernels
	inBlocks, outBlocks int
	forward             []uint32 // [outBlocks, Taps, inBlocks] blocks of B
	back                []uint32 // [inBlocks, Taps, outBlocks] blocks of B
	staleF, staleB      bool
	parts               []float32 // partial sums of the weights' gradient
}

// NewConv returns a convolution of maps with in channels.
func NewConv(k *Kernels, f Filters, in int) *Conv {
	if (f.Taps != 1 && f.Taps != 9) || f.First+f.In > blocks(in)*blockChannels || f.Out > f.Stride {
		panic(fmt.Sprintf("bfloat16: filters of %d taps, %d+%d of %d channels to %d of %d", f.Taps, f.First, f.In, in, f.Out, f.Stride))
	}
	return &Conv{Filters: f, kernels: k, inBlocks: blocks(in), outBlocks: blocks(f.Out), staleF: true, staleB: true}
}

// Invalidate marks the packed weights as outdated.
func (c *Conv) Invalidate() { c.staleF, c.staleB = true, true }

// tap returns the offset of a tap's input from the output.
func (c *Conv) tap(i int) (dy, dx int) {
	if c.Taps == 1 {
		return 0, 0
	}
	return i/3 - 1, i%3 - 1
}

// block returns the 32×32 weights of a tap with the distance of their rows: a slice of the weights,
// or a copy in held if the weights do not fill the block.
func (c *Conv) block(held *[group * blockChannels]float32, tap, in, out int) ([]float32, int) {
	first, col := in*blockChannels-c.First, out*blockChannels
	at := (tap*c.In + first) * c.Stride
	if first >= 0 && first+blockChannels <= c.In && col+blockChannels <= c.Stride {
		return c.Value[at+col:], c.Stride
	}
	clear(held[:])
	for i := max(first, 0); i < min(first+blockChannels, c.In); i++ {
		row := c.Value[(tap*c.In+i)*c.Stride:][:c.Stride]
		copy(held[(i-first)*blockChannels:][:blockChannels], row[min(col, c.Stride):])
	}
	return held[:], blockChannels
}

// transposed is block with the output's channels as rows, in held.
func (c *Conv) transposed(held *[group * blockChannels]float32, tap, out, in int) ([]float32, int) {
	var partial [group * blockChannels]float32
	weights, stride := c.block(&partial, tap, in, out)
	for i := range blockChannels {
		for o, v := range weights[i*stride:][:blockChannels] {
			held[o*blockChannels+i] = v
		}
	}
	return held[:], blockChannels
}

// pack rounds the weights to blocks of B, [columns, Taps, terms]. The function block returns a block for a tap, its
// terms and its columns.
func (c *Conv) pack(ctx *nn.Context, dst []uint32, terms int, block func(held *[group * blockChannels]float32, tap, term, column int) ([]float32, int)) []uint32 {
	n := c.outBlocks * c.Taps * c.inBlocks
	if dst == nil {
		dst = kernel.Aligned[uint32](n * chunk)
	}
	ctx.Split(n, func(from, to int) {
		var held [group * blockChannels]float32
		for i := from; i < to; i++ {
			weights, stride := block(&held, i/terms%c.Taps, i%terms, i/terms/c.Taps)
			c.kernels.pairs(dst[i*chunk:], weights, stride)
		}
	})
	return dst
}

// scratch is the working memory of one goroutine.
type scratch struct {
	segments []kernel.Segment
	sums     []float32      // blocks of sums
	pixel    moments        // a single pixel, all images
	block    [chunk]uint32  // before it is transposed
	three    [3]channels    // sums of an unpooled pixel
	quads    [4][4][]uint32 // the four pixels of a pool, of four maps
}

var scratches = sync.Pool{New: func() any { return new(scratch) }}

func (s *scratch) grow(n int) {
	if len(s.sums) < n*sums {
		s.sums = kernel.Aligned[float32](n * sums)
	}
}

// Forward computes out = conv(in), and the sums of out and of its squares in m.
func (c *Conv) Forward(ctx *nn.Context, out, in *Map, m *Moments) {
	if in.Blocks != c.inBlocks || out.Blocks != c.outBlocks {
		panic(fmt.Sprintf("bfloat16: convolution of %d to %d channels for maps of %d and %d", c.In, c.Out, in.C, out.C))
	}
	if c.staleF {
		c.forward, c.staleF = c.pack(ctx, c.forward, c.inBlocks, c.block), false
	}
	m.begin(out)
	ctx.Split(out.Blocks*out.H, func(from, to int) {
		s := scratches.Get().(*scratch)
		defer scratches.Put(s)
		s.grow(out.groups())
		for i := from; i < to; i++ {
			block, y := i/out.H, i%out.H
			for x := range out.W {
				s.segments = s.segments[:0]
				for tap := range c.Taps {
					if dy, dx := c.tap(tap); contains(in, y+dy, x+dx) {
						s.segments = append(s.segments, kernel.Segment{
							A: &in.Data[in.At(0, y+dy, x+dx)],
							B: &c.forward[(block*c.Taps+tap)*c.inBlocks*chunk],
						})
					}
				}
				c.kernels.products.BlockProduct(s.sums, s.segments, c.inBlocks, group, in.At(1, 0, 0), chunk, out.Rows, false)
				at := out.At(block, y, x)
				s.pixel = moments{}
				for g := range out.groups() {
					c.kernels.emit(out.Data[at+g*chunk:][:out.rowsOf(g)*words], s.sums[g*sums:], out.N-g*group, &s.pixel)
				}
				m.add(i, &s.pixel)
			}
		}
	})
}

func contains(m *Map, y, x int) bool { return y >= 0 && y < m.H && x >= 0 && x < m.W }

// Path is a convolution with the gradient of its output.
type Path struct {
	Conv     *Conv
	Gradient *Map
}

// Preceding are the preceding layers that a gradient passes: a leaky ReLU with output Y after the
// normalization of Z.
type Preceding struct {
	Y, Z    *Map
	Slope   float32
	Moments *Moments // receives the sums of the gradient and of its product with Z
}

// Backward sets din to the sum of the gradients of convolutions of the same map. If through is not
// nil, it then takes din back through those layers. din must not be a path's gradient.
func Backward(ctx *nn.Context, din *Map, through *Preceding, paths ...Path) {
	for _, p := range paths {
		if p.Conv.inBlocks != din.Blocks || p.Conv.outBlocks != p.Gradient.Blocks || p.Gradient.Blocks != paths[0].Gradient.Blocks {
			panic(fmt.Sprintf("bfloat16: convolution of %d to %d channels for gradients of %d and %d", p.Conv.In, p.Conv.Out, p.Gradient.C, din.C))
		}
		if c := p.Conv; c.staleB { // the terms are the output's channels
			c.back, c.staleB = c.pack(ctx, c.back, c.outBlocks, c.transposed), false
		}
	}
	k, depth, step := paths[0].Conv.kernels, paths[0].Gradient.Blocks, paths[0].Gradient.At(1, 0, 0)
	if through != nil {
		through.Moments.begin(din)
	}
	ctx.Split(din.Blocks*din.H, func(from, to int) {
		s := scratches.Get().(*scratch)
		defer scratches.Put(s)
		s.grow(din.groups())
		for i := from; i < to; i++ {
			block, y := i/din.H, i%din.H
			for x := range din.W {
				s.segments = s.segments[:0]
				for _, p := range paths {
					for tap := range p.Conv.Taps {
						if dy, dx := p.Conv.tap(tap); contains(din, y-dy, x-dx) {
							s.segments = append(s.segments, kernel.Segment{
								A: &p.Gradient.Data[p.Gradient.At(0, y-dy, x-dx)],
								B: &p.Conv.back[(block*p.Conv.Taps+tap)*depth*chunk],
							})
						}
					}
				}
				k.products.BlockProduct(s.sums, s.segments, depth, group, step, chunk, din.Rows, false)
				at := din.At(block, y, x)
				s.pixel = moments{}
				for g := range din.groups() {
					at, sums, valid := at+g*chunk, s.sums[g*sums:], din.N-g*group
					dst := din.Data[at:][:din.rowsOf(g)*words]
					if through == nil {
						k.emit(dst, sums, valid, nil)
					} else {
						k.emitThrough(dst, sums, through.Y.Data[at:], through.Z.Data[at:], valid, through.Slope, &s.pixel)
					}
				}
				if through != nil {
					through.Moments.add(i, &s.pixel)
				}
			}
		}
	})
}
