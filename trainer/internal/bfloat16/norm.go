package bfloat16

import "github.com/deepemd/deepemd/internal/nn"

// lines calls do for every block's row of pixels of a map.
func lines(ctx *nn.Context, m *Map, do func(block, y int)) {
	ctx.Split(m.Blocks*m.H, func(from, to int) {
		for i := from; i < to; i++ {
			do(i/m.H, i%m.H)
		}
	})
}

// Normalize computes out = leaky(scale·z + shift), with a scale and a shift for
// each channel. out may be z.
func Normalize(ctx *nn.Context, k *Kernels, out, z *Map, scale, shift []float32, slope float32) {
	lines(ctx, z, func(block, y int) {
		var p [2]channels
		split(&p[0], scale, block)
		split(&p[1], shift, block)
		k.normalize(out.line(block, y), z.line(block, y), &p, slope)
	})
}

// Affine is a factor and a summand for each channel.
type Affine struct{ Scale, Shift []float32 }

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

// Combine computes dz = a·g + b·z + k, with one of each for every channel: the
// gradient of a normalisation's input. dz may be g.
func Combine(ctx *nn.Context, kernels *Kernels, dz, g, z *Map, a, b, k []float32) {
	lines(ctx, z, func(block, y int) {
		var p [3]channels
		split(&p[0], a, block)
		split(&p[1], b, block)
		split(&p[2], k, block)
		kernels.combine(dz.line(block, y), g.line(block, y), z.line(block, y), &p)
		dz.clearFill(block, y)
	})
}
