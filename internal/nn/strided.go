package nn

import (
	"fmt"

	"github.com/deepemd/deepemd/internal/kernel"
	"github.com/deepemd/deepemd/internal/tensor"
)

// Strided is a k×k convolution of any stride with a bias and an activation. Zero padding keeps
// ⌈side/stride⌉ positions. It copies nothing: neighboring pixels are contiguous in memory, so that a row
// of the map, with its border, is a matrix with overlapping rows of k pixels, and each row of the
// filter is one matrix product. For 3×3 filters with stride 1, [Conv] has faster algorithms, too.
type Strided struct {
	filters   *tensor.Tensor // [Cout, Cin, k, k]
	bias      []float32      // [kernel.Pad(Cout)]
	k, stride int
	out       int // stored channels
	terms     int // of a row of the filter; small rows omit the padding of the last pixel
	block     int
	packed    []float32
}

// stridedLine is the number of pixels that are multiplied at a time if all pixels of a map are
// contiguous: a multiple of every kernel's rows.
const stridedLine = 28

// nearFilters is the number of filter values that stay in the L1 cache with a part of the map.
const nearFilters = 1 << 14

// passBlock limits the terms of one pass over a panel of filters, so that the panel stays in the
// L1 cache for all rows of the map.
const passBlock = 512

// passTerms returns the number of terms per pass, such that all passes have the same size.
func passTerms(terms int) int {
	block := terms
	for parts := 2; block > passBlock; parts++ {
		if terms%parts == 0 {
			block = terms / parts
		}
	}
	return block
}

// NewStrided returns a convolution with filters [Cout, Cin, k, k], k odd, and a bias [Cout].
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

// Channels returns the number of output channels.
func (s *Strided) Channels() int { return s.filters.Shape[0] }

// Sides returns the height and width of the output.
func (s *Strided) Sides(h, w int) (int, int) {
	return (h + s.stride - 1) / s.stride, (w + s.stride - 1) / s.stride
}

func (s *Strided) pack(set *kernel.Set, channels int) {
	cout, cin := s.filters.Shape[0], s.filters.Shape[1]
	if s.terms = (s.k-1)*channels + cin; s.terms > passBlock { // other numbers may have no divisor for passes of equal size
		s.terms = s.k * channels
	}
	s.block = passTerms(s.terms)
	s.packed = kernel.NewPacked(s.k * kernel.PackedLen(s.terms, s.out))
	for from := 0; from < s.k*s.terms; from += s.block {
		set.Pack(s.part(from), s.block, s.out, func(term, o int) float32 {
			ky, at := (from+term)/s.terms, (from+term)%s.terms
			kx, i := at/channels, at%channels
			if o >= cout || i >= cin {
				return 0
			}
			return s.filters.Data[((o*cin+i)*s.k+ky)*s.k+kx]
		})
	}
}

// part returns the packed filters of the block of terms that starts at from.
func (s *Strided) part(from int) []float32 { return s.packed[from*s.out:][:s.block*s.out] }

// Run computes out = leaky(conv(in) + bias), or leaky(out + conv(in) + bias) if add is set. slope
// is the activation's slope below zero.
func (s *Strided) Run(c *Context, out, in *Map, add bool, slope float32) {
	end := kernel.Ending{Bias: s.bias, Slope: slope, Most: kernel.Unbounded}
	if add {
		end.From = out.Data
	}
	s.run(c, out, in, end)
}

// RunPast computes out = activation(conv(in) + bias + past); past has the layout of out and may be
// nil.
func (s *Strided) RunPast(c *Context, out, in, past *Map, after Activation) {
	end := kernel.Ending{Bias: s.bias, Slope: Linear, Most: kernel.Unbounded}
	switch after {
	case ReLU:
		end.Slope = 0
	case ReLU6:
		end.Slope, end.Most = 0, 6
	}
	if past != nil {
		end.From = past.Data
	}
	s.run(c, out, in, end)
	if after == HardSwish {
		after.Run(c, out)
	}
}

func (s *Strided) run(c *Context, out, in *Map, end kernel.Ending) {
	h, w := s.Sides(in.H, in.W)
	if in.C != s.filters.Shape[1] || out.C != s.filters.Shape[0] || in.N != out.N || out.H != h || out.W != w {
		panic(fmt.Sprintf("nn: convolution %v of stride %d from %d×%d×%d×%d to %d×%d×%d×%d", s.filters.Shape, s.stride,
			in.N, in.H, in.W, in.C, out.N, out.H, out.W, out.C))
	}
	if in.margin < s.k/2 {
		panic(fmt.Sprintf("nn: convolution by filters of %d×%d of a map with a border of %d", s.k, s.k, in.margin))
	}
	if s.packed == nil {
		s.pack(c.Kernels, in.Channels)
	}
	// Threads divide the larger of pixels and filters.
	lines, panels := s.lines(out, in), c.Kernels.Panels(s.out)
	if panels < c.Threads || lines >= 2*c.Threads && out.N*out.H*out.W >= s.out {
		c.Split(lines, func(from, to int) { s.multiply(c.Kernels, out, in, from, to, 0, panels, end) })
		return
	}
	c.Split(panels, func(from, to int) { s.multiply(c.Kernels, out, in, 0, lines, from, to, end) })
}

// flat reports whether the pixels of both maps are contiguous and correspond.
func (s *Strided) flat(out, in *Map) bool {
	return s.k == 1 && s.stride == 1 && in.margin == 0 && out.margin == 0
}

// lines returns the number of lines of output pixels, see [Strided.line].
func (s *Strided) lines(out, in *Map) int {
	if s.flat(out, in) {
		return (out.N*out.H*out.W + stridedLine - 1) / stridedLine
	}
	return out.N * out.H
}

// line returns the positions of the i-th line in the output and, for the first row of the filter,
// in the input, and its number of pixels.
func (s *Strided) line(i int, out, in *Map) (to, from, pixels int) {
	if s.flat(out, in) {
		first := i * stridedLine
		return first * out.Channels, first * in.Channels, min(stridedLine, out.N*out.H*out.W-first)
	}
	n, y, half := i/out.H, i%out.H, s.k/2
	return out.At(n, y, 0), in.At(n, y*s.stride-half, -half), out.W
}

func (s *Strided) multiply(set *kernel.Set, out, in *Map, fromLine, toLine, fromPanel, toPanel int, end kernel.Ending) {
	// It reads the smaller of filters and map repeatedly: all filters for each line, or all lines
	// for each panel.
	together := toLine - fromLine
	if len(s.packed) <= nearFilters {
		together = 1
	}
	last := s.k*s.terms - s.block
	for first := fromLine; first < toLine; first += together {
		for panel := fromPanel; panel < toPanel; panel++ {
			for term := 0; term <= last; term += s.block {
				at := term/s.terms*in.Row() + term%s.terms
				for i := first; i < min(first+together, toLine); i++ {
					to, from, pixels := s.line(i, out, in)
					part := kernel.Ending{}
					if term == last {
						part = end
					}
					if term > 0 {
						part.From = out.Data[to:]
					} else if end.From != nil {
						part.From = end.From[to:]
					}
					set.GemmPanel(panel, pixels, s.block, s.out, in.Data[from+at:], s.stride*in.Channels, s.part(term), out.Data[to:], s.out, &part)
				}
			}
		}
	}
}

// MaxPool3 computes the maximum of each 3×3 pixels with stride 2 and padding 1, so out has
// ⌈H/2⌉×⌈W/2⌉ pixels.
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
