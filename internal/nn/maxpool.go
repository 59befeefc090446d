package nn

import "fmt"

// MaxPool computes the largest of each 2×2 pixels, stride 2; an odd last row or
// column is left out, so out has ⌊H/2⌋×⌊W/2⌋ pixels.
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
