package nn

import (
	"fmt"

	"github.com/deepemd/deepemd/core/kernel"
	"github.com/deepemd/deepemd/core/tensor"
)

// Strided is a k×k convolution of any stride, padded by zeros to keep ⌈side/stride⌉
// positions, with a bias and a leaky ReLU. It copies what its filters see, some
// rows of the output at a time, and multiplies that. For 3×3 filters of stride 1 [Conv] is faster.
type Strided struct {
	filters    *tensor.Tensor // [Cout, Cin, k, k]
	bias       []float32      // [kernel.Pad(Cout)]
	k, stride  int
	terms, out int // terms are the channels as stored times k·k
	packed     []float32
	scratch    []stridedScratch // by thread
}

// stridedScratch is what one thread needs for some rows of the output: what the filters
// see of each pixel, and the products.
type stridedScratch struct{ seen, sums []float32 }

// stridedValues bounds what is seen at a time, so that it stays in the cache.
const stridedValues = 1 << 16

// NewStrided returns a convolution by filters [Cout, Cin, k, k], k odd, with a bias [Cout].
func NewStrided(filters *tensor.Tensor, bias []float32, stride int) *Strided {
	k := filters.Shape[2]
	filters.MustShape("filters of a convolution", len(bias), -1, k, k)
	if k%2 == 0 || stride < 1 {
		panic(fmt.Sprintf("nn: convolution by filters of %d×%d with stride %d", k, k, stride))
	}
	padded := make([]float32, kernel.Pad(len(bias)))
	copy(padded, bias)
	return &Strided{filters: filters, bias: padded, k: k, stride: stride, out: len(padded)}
}

// Channels is the number of channels of the output.
func (s *Strided) Channels() int { return s.filters.Shape[0] }

// Sides returns the height and width of the output for those of the input.
func (s *Strided) Sides(h, w int) (int, int) {
	return (h + s.stride - 1) / s.stride, (w + s.stride - 1) / s.stride
}

func (s *Strided) pack(set *kernel.Set, channels int) {
	cout, cin := s.filters.Shape[0], s.filters.Shape[1]
	s.terms = s.k * s.k * channels
	s.packed = make([]float32, kernel.PackedLen(s.terms, s.out))
	set.Pack(s.packed, s.terms, s.out, func(term, o int) float32 {
		at, i := term/channels, term%channels
		if o >= cout || i >= cin {
			return 0
		}
		return s.filters.Data[(o*cin+i)*s.k*s.k+at]
	})
}

// Run computes out = leaky(conv(in) + bias), or leaky(out + conv(in) + bias) when add is
// set, with the activation's slope below zero.
func (s *Strided) Run(c *Context, out, in *Map, add bool, slope float32) {
	h, w := s.Sides(in.H, in.W)
	if in.C != s.filters.Shape[1] || out.C != s.filters.Shape[0] || in.N != out.N || out.H != h || out.W != w {
		panic(fmt.Sprintf("nn: convolution %v of stride %d from %d×%d×%d×%d to %d×%d×%d×%d", s.filters.Shape, s.stride,
			in.N, in.H, in.W, in.C, out.N, out.H, out.W, out.C))
	}
	if s.packed == nil {
		s.pack(c.Kernels, in.Channels)
	}
	if len(s.scratch) < c.Threads {
		s.scratch = make([]stridedScratch, c.Threads)
	}
	// As many rows at a time as the cache holds, since a product of many pixels reads the
	// filters once, but no fewer parts than threads.
	rows := out.N * out.H
	each := max(1, min(stridedValues/(s.terms*out.W), (rows+c.Threads-1)/c.Threads))
	parts := (rows + each - 1) / each
	c.Split(c.Threads, func(from, to int) {
		for thread := from; thread < to; thread++ {
			for part := thread; part < parts; part += c.Threads {
				s.rows(c.Kernels, &s.scratch[thread], out, in, part*each, min(rows, (part+1)*each), add, slope)
			}
		}
	})
}

// rows computes some rows of the output, counted through all pictures.
func (s *Strided) rows(set *kernel.Set, scratch *stridedScratch, out, in *Map, from, to int, add bool, slope float32) {
	pixels := (to - from) * out.W
	scratch.seen, scratch.sums = grow(scratch.seen, pixels*s.terms), grow(scratch.sums, pixels*s.out)
	for row := from; row < to; row++ {
		seen := scratch.seen[(row-from)*out.W*s.terms:]
		if n, y := row/out.H, row%out.H; s.k == 1 && s.stride == 1 {
			copy(seen[:out.W*s.terms], in.Data[in.At(n, y, 0):])
		} else {
			s.look(seen, in, n, y, out.W)
		}
	}
	set.Gemm(pixels, s.terms, s.out, scratch.seen, s.terms, s.packed, scratch.sums, s.out, false)
	for i := range pixels {
		row := from + i/out.W
		pixel := out.Data[out.At(row/out.H, row%out.H, i%out.W):][:s.out]
		var before []float32
		if add {
			before = pixel
		}
		set.Finish(pixel, scratch.sums[i*s.out:], s.bias, before, s.out, slope)
	}
}

// look copies what the filters see along a row of the output.
func (s *Strided) look(seen []float32, in *Map, n, y, width int) {
	channels, half := in.Channels, s.k/2
	for x := range width {
		for ky := range s.k {
			row := seen[(x*s.k*s.k+ky*s.k)*channels:][:s.k*channels]
			top := y*s.stride - half + ky
			left := x*s.stride - half
			from, to := max(left, 0), min(left+s.k, in.W)
			if top < 0 || top >= in.H || from >= to {
				clear(row)
				continue
			}
			clear(row[:(from-left)*channels])
			copy(row[(from-left)*channels:(to-left)*channels], in.Data[in.At(n, top, from):])
			clear(row[(to-left)*channels:])
		}
	}
}

// MaxPool3 computes the largest of each 3×3 pixels, stride 2, padded by one pixel, so out
// has ⌈H/2⌉×⌈W/2⌉ pixels.
func MaxPool3(c *Context, out, in *Map) {
	if out.C != in.C || out.N != in.N || out.H != (in.H+1)/2 || out.W != (in.W+1)/2 {
		panic(fmt.Sprintf("nn: max-pool of 3×3 from %d×%d×%d×%d to %d×%d×%d×%d", in.N, in.H, in.W, in.C, out.N, out.H, out.W, out.C))
	}
	c.Split(out.N*out.H, func(from, to int) {
		taps := make([]kernel.Tap, 0, 9)
		for row := from; row < to; row++ {
			n, y := row/out.H, row%out.H
			for x := range out.W {
				taps = taps[:0]
				for iy := max(2*y-1, 0); iy <= min(2*y+1, in.H-1); iy++ {
					for ix := max(2*x-1, 0); ix <= min(2*x+1, in.W-1); ix++ {
						taps = append(taps, kernel.Tap{Offset: in.At(n, iy, ix)})
					}
				}
				c.Kernels.Largest(out.Data[out.At(n, y, x):], in.Data, taps, in.Channels)
			}
		}
	})
}
