package backbone

import "github.com/deepemd/deepemd/internal/nn"

// Unleak carries the gradient g back through a leaky ReLU of [nn.LeakySlope], in place; y
// is the activation's output, whose sign is that of its input.
func Unleak(ctx *nn.Context, g, y *nn.Map) {
	ctx.Split(g.N*g.H, func(from, to int) {
		for row := from; row < to; row++ {
			at := g.At(row/g.H, row%g.H, 0)
			ctx.Kernels.Unleak(g.Data[at:], y.Data[at:], g.W, g.Channels, nn.LeakySlope)
		}
	})
}

// Unpool carries the gradient g of a 2×2 max-pool back: din gets it at the first
// largest pixel of each four of in, and zero elsewhere, also in an odd last row
// or column that pooling leaves out.
func Unpool(ctx *nn.Context, din, g, in *nn.Map) {
	ctx.Split(g.N*g.H, func(from, to int) {
		for row := from; row < to; row++ {
			n, y := row/g.H, row%g.H
			for x := range g.W {
				at := in.At(n, 2*y, 2*x)
				ctx.Kernels.Unpool(din.Data[at:], g.Data[g.At(n, y, x):], in.Data[at:], in.Channels, in.Row())
			}
			if in.W%2 == 1 {
				clear(din.Data[din.At(n, 2*y, in.W-1):][:din.Channels])
				clear(din.Data[din.At(n, 2*y+1, in.W-1):][:din.Channels])
			}
			if in.H%2 == 1 && y == g.H-1 {
				clear(din.Data[din.At(n, in.H-1, 0):][:din.W*din.Channels])
			}
		}
	})
}
