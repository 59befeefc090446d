package bfloat16

import (
	"fmt"
	"math"

	"github.com/deepemd/deepemd/internal/kernel"
	"github.com/deepemd/deepemd/internal/nn"
)

const (
	// blockChannels is the number of channels in a row.
	blockChannels = 32
	// words is the number of 32-bit words in a row. A word has an even channel in its lower half
	// and the next odd one in its upper half.
	words = blockChannels / 2
	// group is the largest number of images that are computed together. Maps are padded with zero
	// images to a multiple of group or of group/2, see [Kernels.NewMap].
	group = 32
	// chunk is the size in words of a group's rows of a pixel.
	chunk = group * words
)

// Map is a batch of feature maps in bfloat16: N images of H×W pixels with C channels, stored as
// [Blocks, H, W, Rows] rows with 32 channels. Rows from N are zero in gradients that a convolution
// reads, and undefined elsewhere.
type Map struct {
	N, H, W, C int
	Rows       int // N rounded up to a multiple of 16 or 32
	Blocks     int // C/32, rounded up
	Data       []uint32

	lineStride, blockStride int // words
}

// skew is the padding in words between lines of pixels. Most maps have sizes of powers of two;
// without it, all lines and blocks of a pixel's sum would share a few sets of the cache.
const skew = 5 * words

// NewMap returns a map of zeros with the least padding that the kernels' products need.
func (k *Kernels) NewMap(n, h, w, c int) *Map { return newMap(n, h, w, c, k.products.BlockPart()) }

// NewOperand returns a map for [Transposed] or [Interleaved], whose groups are whole.
func NewOperand(n, h, w, c int) *Map { return newMap(n, h, w, c, group) }

// newMap returns a map of zeros whose rows are a multiple of part.
func newMap(n, h, w, c, part int) *Map {
	m := &Map{N: n, H: h, W: w, C: c, Rows: (n + part - 1) / part * part, Blocks: blocks(c)}
	m.lineStride = w*m.Rows*words + skew
	m.blockStride = h*m.lineStride + skew
	m.Data = kernel.Aligned[uint32](m.Blocks * m.blockStride)
	return m
}

// NewLike returns a map of zeros with the same shape.
func (m *Map) NewLike() *Map { return newMap(m.N, m.H, m.W, m.C, m.Rows) }

// Fits reports whether m has n images of h×w pixels. m may be nil.
func (m *Map) Fits(n, h, w int) bool { return m != nil && m.N == n && m.H == h && m.W == w }

func blocks(channels int) int { return (channels + blockChannels - 1) / blockChannels }

// At returns the index in Data of a block's row of a pixel in the first image.
func (m *Map) At(block, y, x int) int {
	return block*m.blockStride + y*m.lineStride + x*m.Rows*words
}

// groups returns the number of groups of images. The last may be half a group.
func (m *Map) groups() int { return (m.Rows + group - 1) / group }

// rowsOf returns the number of rows in a group.
func (m *Map) rowsOf(g int) int { return min(group, m.Rows-g*group) }

// line returns a block's row of pixels of all images.
func (m *Map) line(block, y int) []uint32 { return m.Data[m.At(block, y, 0):][:m.W*m.Rows*words] }

// pixel returns a pixel of a block, of all images.
func (m *Map) pixel(block, y, x int) []uint32 { return m.Data[m.At(block, y, x):][:m.Rows*words] }

// clearFill clears the padding of a block's row of pixels.
func (m *Map) clearFill(block, y int) {
	if m.N == m.Rows {
		return
	}
	for x := range m.W {
		clear(m.pixel(block, y, x)[m.N*words:])
	}
}

// Store writes the map as float32 to dst, which has the same shape.
func (m *Map) Store(ctx *nn.Context, dst *nn.Map) {
	m.check(dst.N, dst.H, dst.W, dst.C)
	ctx.Each(m.H*m.W, func(i int) {
		y, x := i/m.W, i%m.W
		for b := range m.Blocks {
			rows := m.pixel(b, y, x)
			for n := range m.N {
				out := dst.Data[dst.At(n, y, x):][:m.C]
				for j, w := range rows[n*words:][:words] {
					if c := b*blockChannels + 2*j; c < m.C {
						out[c] = low(w)
						if c+1 < m.C {
							out[c+1] = high(w)
						}
					}
				}
			}
		}
	})
}

// Load rounds the values of a map of the same shape.
func (m *Map) Load(ctx *nn.Context, src *nn.Map) {
	m.check(src.N, src.H, src.W, src.C)
	ctx.Each(m.H*m.W, func(i int) {
		y, x := i/m.W, i%m.W
		for b := range m.Blocks {
			rows := m.pixel(b, y, x)
			for n := range m.N {
				in := src.Data[src.At(n, y, x):][:m.C]
				for j := range words {
					var even, odd float32
					if c := b*blockChannels + 2*j; c < m.C {
						even = in[c]
						if c+1 < m.C {
							odd = in[c+1]
						}
					}
					rows[n*words+j] = pair(even, odd)
				}
			}
			clear(rows[m.N*words:])
		}
	})
}

func (m *Map) check(n, h, w, c int) {
	if m.N != n || m.H != h || m.W != w || m.C != c {
		panic(fmt.Sprintf("bfloat16: map of %d×%d×%d×%d, want %d×%d×%d×%d", n, h, w, c, m.N, m.H, m.W, m.C))
	}
}

// LoadColumns loads normalized images [N, H, W, 3] as the input of a 3×3 convolution: channel 3·tap
// + color of a pixel is the color of its neighbor, or zero outside the image. m has 27 channels.
func (m *Map) LoadColumns(ctx *nn.Context, pictures []float32) {
	m.check(m.N, m.H, m.W, 9*3)
	ctx.Split(m.H*m.W, func(from, to int) {
		var column [blockChannels]float32
		for i := from; i < to; i++ {
			y, x := i/m.W, i%m.W
			rows := m.pixel(0, y, x)
			for n := range m.N {
				clear(column[:])
				picture := pictures[n*m.H*m.W*3:][:m.H*m.W*3]
				for dy := max(-1, -y); dy <= min(1, m.H-1-y); dy++ {
					first, last := max(-1, -x), min(1, m.W-1-x)
					copy(column[((dy+1)*3+first+1)*3:], picture[((y+dy)*m.W+x+first)*3:][:(last-first+1)*3])
				}
				for j := range words {
					rows[n*words+j] = pair(column[2*j], column[2*j+1])
				}
			}
		}
	})
}

// pair rounds an even channel and the next odd one to a word.
func pair(even, odd float32) uint32 {
	return kernel.RoundBFloat16(even) | kernel.RoundBFloat16(odd)<<16
}

// low and high are the two channels of a word.
func low(w uint32) float32  { return math.Float32frombits(w << 16) }
func high(w uint32) float32 { return math.Float32frombits(w &^ 0xffff) }
