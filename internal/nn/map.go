package nn

import (
	"fmt"
	"math"

	"github.com/deepemd/deepemd/internal/kernel"
	"github.com/deepemd/deepemd/internal/tensor"
)

// Map is a batch of feature maps: N images of H×W pixels with C channels, channels innermost. In
// memory, images have a border of zeros: one pixel at the top and left, and at the bottom and right
// enough for the largest Winograd tile at any multiple of its size. Channels are padded with zeros
// to the multiple that the kernels need.
type Map struct {
	N, H, W, C int
	Channels   int // stored channels
	Data       []float32

	rows, cols int // stored pixels
	margin     int // width of the border at the top and left
}

// NewMap returns a map of zeros with padded channels.
func NewMap(n, h, w, c int) *Map { return newMap(n, h, w, c, kernel.Pad(c), 1) }

// widest is the border for the first convolution of a network, at most 7×7.
const widest = 3

// NewInput returns a map of zeros for a network's input, whose few channels are not padded. Only
// direct convolutions can read it.
func NewInput(n, h, w, c int) *Map { return newMap(n, h, w, c, c, widest) }

// newMap returns a map with a border of margin pixels, for convolutions of up to 2·margin + 1
// pixels. Without a margin, it is not padded to whole tiles of 4×4 either.
func newMap(n, h, w, c, channels, margin int) *Map {
	m := &Map{N: n, H: h, W: w, C: c, Channels: channels, rows: h, cols: w, margin: margin}
	if margin > 0 {
		m.rows, m.cols = (h+3)/4*4+2*margin, (w+3)/4*4+2*margin
	}
	m.Data = make([]float32, n*m.rows*m.cols*channels)
	return m
}

// Fit returns m if it has n images of h×w pixels with c channels, and a new map of zeros otherwise.
// m may be nil.
func (m *Map) Fit(n, h, w, c int) *Map { return m.fit(n, h, w, c, 1) }

// FitBare is Fit for a map without a border, whose pixels are contiguous: for layers that read
// single pixels or handle the edges themselves.
func (m *Map) FitBare(n, h, w, c int) *Map { return m.fit(n, h, w, c, 0) }

func (m *Map) fit(n, h, w, c, margin int) *Map {
	if m != nil && m.N == n && m.H == h && m.W == w && m.C == c {
		return m
	}
	return newMap(n, h, w, c, kernel.Pad(c), margin)
}

// At returns the index in Data of the first channel of a pixel.
func (m *Map) At(n, y, x int) int {
	return ((n*m.rows+y+m.margin)*m.cols + x + m.margin) * m.Channels
}

// Row returns the distance in Data between a pixel and the one below.
func (m *Map) Row() int { return m.cols * m.Channels }

// window returns the values from the top left corner of a pixel's 3×3 neighborhood to the end of
// the map.
func (m *Map) window(n, y, x int) []float32 { return m.Data[m.At(n, y-1, x-1):] }

// Load copies N images [H, W, C] to the map.
func (m *Map) Load(pictures []float32) {
	if len(pictures) != m.N*m.H*m.W*m.C {
		panic(fmt.Sprintf("nn: %d values for %d maps of %d×%d×%d", len(pictures), m.N, m.H, m.W, m.C))
	}
	for n := range m.N {
		for y := range m.H {
			if m.C == m.Channels {
				pictures = pictures[copy(m.Data[m.At(n, y, 0):][:m.W*m.C], pictures):]
				continue
			}
			for x := range m.W {
				copy(m.Data[m.At(n, y, x):][:m.C], pictures)
				pictures = pictures[m.C:]
			}
		}
	}
}

// each calls do for the stored channels of every pixel of an image.
func (m *Map) each(n int, do func(pixel []float32)) {
	for y := range m.H {
		for x := range m.W {
			do(m.Data[m.At(n, y, x):][:m.Channels])
		}
	}
}

// Store copies the map without border and padding to dst, [N, H, W, C].
func (m *Map) Store(dst []float32) {
	for n := range m.N {
		for y := range m.H {
			for x := range m.W {
				dst = dst[copy(dst[:m.C], m.Data[m.At(n, y, x):]):]
			}
		}
	}
}

// Tensor copies the map to a new tensor [N, H, W, C].
func (m *Map) Tensor() *tensor.Tensor {
	t := tensor.New(m.N, m.H, m.W, m.C)
	m.Store(t.Data)
	return t
}

// MaxPool computes the maximum of each 2×2 pixels with stride 2. It drops an odd last row or
// column, so out has ⌊H/2⌋×⌊W/2⌋ pixels.
func MaxPool(c *Context, out, in *Map) {
	if out.C != in.C || out.N != in.N || out.H != in.H/2 || out.W != in.W/2 {
		panic(fmt.Sprintf("nn: max-pool from %d×%d×%d×%d to %d×%d×%d×%d", in.N, in.H, in.W, in.C, out.N, out.H, out.W, out.C))
	}
	c.Split(out.N*out.H, func(from, to int) {
		for row := from; row < to; row++ {
			n, y := row/out.H, row%out.H
			src, dst := in.Data[in.At(n, 2*y, 0):], out.Data[out.At(n, y, 0):]
			for x := range out.W {
				c.Kernels.MaxPool(dst[x*out.Channels:], src[2*x*in.Channels:], in.Channels, in.Row())
			}
		}
	})
}

// Activation is an element-wise function.
type Activation int

const (
	Identity  Activation = iota
	ReLU                 // max(x, 0)
	ReLU6                // min(max(x, 0), 6)
	HardSwish            // x·min(max(x + 3, 0), 6)/6
)

// Run applies the activation to a map, in place. All activations map zero to zero and so keep the
// border.
func (a Activation) Run(c *Context, m *Map) {
	c.Split(len(m.Data)/kernel.Lanes, func(from, to int) {
		a.apply(c.Kernels, m.Data[from*kernel.Lanes:to*kernel.Lanes])
	})
}

func (a Activation) apply(set *kernel.Set, values []float32) {
	switch a {
	case ReLU:
		set.Clamp(values, math.MaxFloat32)
	case ReLU6:
		set.Clamp(values, 6)
	case HardSwish:
		set.HardSwish(values)
	}
}
