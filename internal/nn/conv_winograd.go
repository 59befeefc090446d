package nn

import "github.com/deepemd/deepemd/internal/kernel"

// winogradTiles is the number of tiles that pass through the three steps together: enough to reuse
// each panel of filters many times, but few enough to stay in the cache.
const winogradTiles = 128

// Plane returns the distance between the planes of a transform's elements with size floats each. A
// tile's transform writes to all planes at once. The extra cache line avoids conflicts in the
// cache, since most numbers of channels are powers of two.
func Plane(size int) int { return size + kernel.Lanes }

// Winograd is a convolution by F(t×t, 3×3) of Lavin & Gray (2015): it divides the map into tiles of
// t×t pixels. In the transformed domain, each of the (t+2)² elements of the tiles is one matrix
// product over the channels.
type Winograd struct {
	t, elements int // elements: (t+2)²
	in, out     int // stored channels
	packed      []float32
}

// NewWinograd returns a convolution by F(t×t, 3×3), t = 2 or 4, with the taps packed for the
// kernels of c.
func NewWinograd(c *Context, taps Taps, t int) *Winograd {
	p := &Winograd{t: t, elements: (t + 2) * (t + 2), in: taps.In, out: taps.Out}
	p.packed = kernel.NewPacked(p.elements * Plane(kernel.PackedLen(p.in, p.out)))
	p.Pack(c, taps)
	return p
}

// Pack replaces the filters by taps of the same size.
func (p *Winograd) Pack(c *Context, taps Taps) {
	size := p.in * p.out
	c.Split(p.in, func(from, to int) {
		for i := from; i < to; i++ {
			for panel := range c.Kernels.Panels(p.out) {
				col, width := c.Kernels.Panel(p.out, panel)
				c.Kernels.WinogradFilter(p.t, p.packed[col*p.in+i*width:], taps.Data[i*p.out+col:], width, size, Plane(size))
			}
		}
	})
}

// Run computes out = leaky(conv(in) + bias), or leaky(out + conv(in) + bias) if add is set.
func (p *Winograd) Run(c *Context, out, in *Map, bias []float32, add bool, slope float32) {
	t := p.t
	across, down := (in.W+t-1)/t, (in.H+t-1)/t
	tiles := in.N * down * across
	block := min(winogradTiles, tiles)
	planeV, planeM := Plane(block*p.in), Plane(block*p.out)
	v := c.Buffer(0, p.elements*planeV)
	m := c.Buffer(1, p.elements*planeM)
	// place returns the image of a tile and its top left pixel.
	place := func(tile int) (n, y, x int) {
		return tile / (down * across), tile / across % down * t, tile % across * t
	}
	panels := c.Kernels.Panels(p.out)
	for first := 0; first < tiles; first += block {
		count := min(block, tiles-first)
		c.Split(count, func(from, to int) {
			for i := from; i < to; i++ {
				c.Kernels.WinogradInput(t, v[i*p.in:], in.window(place(first+i)), p.in, in.Row(), planeV)
			}
		})
		c.Split(p.elements*panels, func(from, to int) {
			for i := from; i < to; i++ {
				e, panel := i/panels, i%panels
				filters := p.packed[e*Plane(p.in*p.out):]
				c.Kernels.GemmPanel(panel, count, p.in, p.out, v[e*planeV:], p.in, filters, m[e*planeM:], p.out, &kernel.Ending{})
			}
		})
		c.Split(count, func(from, to int) {
			for i := from; i < to; i++ {
				n, y, x := place(first + i)
				dst := out.Data[out.At(n, y, x):]
				var held []float32
				if add {
					held = dst
				}
				c.Kernels.WinogradOutput(t, dst, m[i*p.out:], bias, held, p.out, out.Row(), planeM,
					min(t, in.H-y), min(t, in.W-x), slope)
			}
		})
	}
}
