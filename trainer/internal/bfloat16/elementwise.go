package bfloat16

import "github.com/deepemd/deepemd/internal/nn"

// lines calls do for every block's row of pixels.
func lines(ctx *nn.Context, m *Map, do func(block, y int)) {
	ctx.Each(m.Blocks*m.H, func(i int) { do(i/m.H, i%m.H) })
}

// Affine is a factor and a summand per channel.
type Affine struct{ Scale, Shift []float32 }

// Normalize computes out = leaky(a(z)). out may be z.
func Normalize(ctx *nn.Context, k *Kernels, out, z *Map, a Affine, slope float32) {
	lines(ctx, z, func(block, y int) {
		var p [2]channels
		split(&p[0], a.Scale, block)
		split(&p[1], a.Shift, block)
		k.normalize(out.line(block, y), z.line(block, y), &p, slope)
	})
}

// Join computes out = leaky(a(z) + b(s)), the end of a residual block.
func Join(ctx *nn.Context, k *Kernels, out, z, s *Map, a, b Affine, slope float32) {
	lines(ctx, z, func(block, y int) {
		var p [3]channels
		var second channels
		split(&p[0], a.Scale, block)
		split(&p[1], b.Scale, block)
		split(&p[2], a.Shift, block)
		split(&second, b.Shift, block)
		for i, v := range second {
			p[2][i] += v
		}
		k.join(out.line(block, y), z.line(block, y), s.line(block, y), &p, slope)
	})
}

// Combine computes dz = a·g + b·z + k, with coefficients per channel: the gradient of a
// normalization's input. dz may be g.
func Combine(ctx *nn.Context, kernels *Kernels, dz, g, z *Map, a, b, k []float32) {
	lines(ctx, z, func(block, y int) {
		var p [3]channels
		split(&p[0], a, block)
		split(&p[1], b, block)
		split(&p[2], k, block)
		kernels.join(dz.line(block, y), g.line(block, y), z.line(block, y), &p, nn.Linear)
		dz.clearFill(block, y)
	})
}

// Moments are sums over all pixels and images of a map, per channel: of a value and of its product
// with another. A pixel is summed in float32, the rest in float64.
type Moments struct {
	lines    [][2][blockChannels]float64 // of a block's row of pixels
	perBlock int
	sums     [2][]float64 // [Blocks·32], in the order of the map's channels
}

// begin starts sums over a map with the shape of like.
func (m *Moments) begin(like *Map) {
	n := like.Blocks * like.H
	if cap(m.lines) < n {
		m.lines = make([][2][blockChannels]float64, n)
	}
	m.lines, m.perBlock = m.lines[:n], like.H
	clear(m.lines)
	if len(m.sums[0]) != like.Blocks*blockChannels {
		m.sums[0], m.sums[1] = make([]float64, like.Blocks*blockChannels), make([]float64, like.Blocks*blockChannels)
	}
}

// add adds the sums of a pixel to its line.
func (m *Moments) add(line int, pixel *moments) {
	for k := range pixel {
		for i, v := range pixel[k] {
			m.lines[line][k][i] += float64(v)
		}
	}
}

// Sums returns the sums of the value and of the product, per channel, with the padding of the last
// block.
func (m *Moments) Sums() (first, product []float64) {
	for k := range m.sums {
		clear(m.sums[k])
	}
	for l := range m.lines {
		for k := range m.sums {
			for i, v := range m.lines[l][k] {
				m.sums[k][l/m.perBlock*blockChannels+i%words*2+i/words] += v
			}
		}
	}
	return m.sums[0], m.sums[1]
}

// quad returns the four pixels of a pool.
func (m *Map) quad(block, y, x int) [4][]uint32 {
	return [4][]uint32{
		m.pixel(block, 2*y, 2*x), m.pixel(block, 2*y, 2*x+1),
		m.pixel(block, 2*y+1, 2*x), m.pixel(block, 2*y+1, 2*x+1)}
}

// MaxPool computes the largest pixel of each 2×2 square; it ignores an odd last row or column.
func MaxPool(ctx *nn.Context, k *Kernels, out, in *Map) {
	lines(ctx, out, func(block, y int) {
		for x := range out.W {
			q := in.quad(block, y, x)
			k.pool(out.pixel(block, y, x), q[0], q[1], q[2], q[3])
		}
	})
}

// Unpool takes the gradient g of a pooled map back through the pooling and the leaky ReLU with
// output sum: the first largest pixel of a 2×2 square gets it, and the others get zero. It computes
// the sums of the result and of its products with z in withZ, and with s in withS.
func Unpool(ctx *nn.Context, k *Kernels, dsum, g, sum, z, s *Map, slope float32, withZ, withS *Moments) {
	withZ.begin(g)
	withS.begin(g)
	lines(ctx, g, func(block, y int) {
		line := block*g.H + y
		held := scratches.Get().(*scratch)
		defer scratches.Put(held)
		for x := range g.W {
			held.quads = [4][4][]uint32{dsum.quad(block, y, x), sum.quad(block, y, x), z.quad(block, y, x), s.quad(block, y, x)}
			held.three = [3]channels{}
			k.unpool(&held.quads[0], g.pixel(block, y, x), &held.quads[1], &held.quads[2], &held.quads[3], slope, &held.three)
			held.pixel = moments{held.three[0], held.three[1]}
			withZ.add(line, &held.pixel)
			held.pixel[1] = held.three[2]
			withS.add(line, &held.pixel)
			if sum.W%2 == 1 && x == g.W-1 {
				clear(dsum.pixel(block, 2*y, sum.W-1))
				clear(dsum.pixel(block, 2*y+1, sum.W-1))
			}
		}
		if sum.H%2 == 1 && y == g.H-1 {
			clear(dsum.line(block, sum.H-1))
		}
	})
}

// Blend replaces each image by share times itself plus 1 − share times its partner, rounded.
// partners is a permutation of the images.
func (m *Map) Blend(ctx *nn.Context, share float32, partners []int) {
	lines(ctx, m, func(block, y int) {
		held := make([]uint32, m.N*words)
		for x := range m.W {
			rows := m.pixel(block, y, x)
			copy(held, rows)
			for n, p := range partners {
				own, other := held[n*words:][:words], held[p*words:][:words]
				for i, w := range own {
					rows[n*words+i] = pair(share*low(w)+(1-share)*low(other[i]), share*high(w)+(1-share)*high(other[i]))
				}
			}
		}
	})
}
