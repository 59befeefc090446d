package bfloat16

import "github.com/deepemd/deepemd/internal/nn"

// quad is the four pixels of a block that become one when pooled.
func (m *Map) quad(block, y, x int) [4][]uint32 {
	return [4][]uint32{
		m.pixel(block, 2*y, 2*x), m.pixel(block, 2*y, 2*x+1),
		m.pixel(block, 2*y+1, 2*x), m.pixel(block, 2*y+1, 2*x+1)}
}

// MaxPool computes the largest of 2×2 pixels; an odd last row or column is left
// out.
func MaxPool(ctx *nn.Context, k *Kernels, out, in *Map) {
	lines(ctx, out, func(block, y int) {
		for x := range out.W {
			q := in.quad(block, y, x)
			k.pool(out.pixel(block, y, x), q[0], q[1], q[2], q[3])
		}
	})
}

// Unpool carries the gradient g of a pooled map back through the pooling and the
// leaky ReLU with output sum that it pooled: g goes to the first largest of four
// pixels, zero to the others. It adds up the result, its products with z in the
// first moments, and those with s in the second.
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
