package layer

import "github.com/deepemd/deepemd/core/nn"

// Unpool3 carries the gradient g of [nn.MaxPool3] back: each value goes to the first of
// its largest pixels of in, and din is the sum of what came there. din has the shape of in.
func Unpool3(ctx *nn.Context, din, g, in *nn.Map) {
	ctx.Split(g.N, func(from, to int) {
		for n := from; n < to; n++ {
			for y := range in.H {
				clear(din.Data[din.At(n, y, 0):][:din.W*din.Channels])
			}
			best := make([]float32, in.Channels)
			where := make([]int, in.Channels)
			for y := range g.H {
				for x := range g.W {
					largest(best, where, in, n, y, x)
					for c, v := range g.Data[g.At(n, y, x):][:g.Channels] {
						din.Data[where[c]+c] += v
					}
				}
			}
		}
	})
}

// largest finds the largest value of each channel that a pixel of the output sees, and the
// pixel's place in the map.
func largest(best []float32, where []int, in *nn.Map, n, y, x int) {
	begun := false
	for iy := max(2*y-1, 0); iy <= min(2*y+1, in.H-1); iy++ {
		for ix := max(2*x-1, 0); ix <= min(2*x+1, in.W-1); ix++ {
			at := in.At(n, iy, ix)
			for c, v := range in.Data[at:][:len(best)] {
				if !begun || v > best[c] {
					best[c], where[c] = v, at
				}
			}
			begun = true
		}
	}
}
