//go:build linux && (amd64 || arm64) && !nocuda

package cuda

import (
	"math"

	"github.com/deepemd/deepemd/internal/nn"
	"github.com/deepemd/deepemd/trainer/internal/device"
)

// plain is a batch of maps in float64, [n, h, w, c].
type plain struct {
	n, h, w, c int
	v          []float64
}

func newPlain(n, h, w, c int) *plain {
	return &plain{n, h, w, c, make([]float64, n*h*w*c)}
}

func (p *plain) at(n, y, x, c int) *float64 { return &p.v[((n*p.h+y)*p.w+x)*p.c+c] }

// each calls do for every pixel.
func (p *plain) each(do func(n, y, x int)) {
	for n := range p.n {
		for y := range p.h {
			for x := range p.w {
				do(n, y, x)
			}
		}
	}
}

func widened(values []float32) []float64 {
	wide := make([]float64, len(values))
	for i, v := range values {
		wide[i] = float64(v)
	}
	return wide
}

// convolve computes out = x * f, and calls term for each product: out += x·f.
func convolve(x, out *plain, k int, term func(out, x *float64, filter int)) {
	out.each(func(n, y, at int) {
		for o := range out.c {
			for dy := range k {
				for dx := range k {
					if sy, sx := y+dy-k/2, at+dx-k/2; sy >= 0 && sx >= 0 && sy < x.h && sx < x.w {
						for i := range x.c {
							term(out.at(n, y, at, o), x.at(n, sy, sx, i), ((o*x.c+i)*k+dy)*k+dx)
						}
					}
				}
			}
		}
	})
}

// affine is a normalization in float64: scale and shift of each channel, mean and 1/σ.
type affine struct{ scale, shift, mean, inverse []float64 }

func statistics(z *plain, bn *device.BatchNorm) (a affine) {
	for c := range z.c {
		var sum, square float64
		z.each(func(n, y, x int) { v := *z.at(n, y, x, c); sum += v; square += v * v })
		count := float64(z.n * z.h * z.w)
		mean := sum / count
		inverse := 1 / math.Sqrt(square/count-mean*mean+nn.BatchNormEpsilon)
		scale := float64(bn.Weight.Value[c]) * inverse
		a.mean, a.inverse = append(a.mean, mean), append(a.inverse, inverse)
		a.scale, a.shift = append(a.scale, scale), append(a.shift, float64(bn.Bias.Value[c])-mean*scale)
	}
	return a
}

// descend returns the gradient of z from the gradient of norm(z), and the gradients of weight and
// bias.
func (a affine) descend(g, z *plain, bn *device.BatchNorm) (dz *plain, dweight, dbias []float64) {
	dz = newPlain(z.n, z.h, z.w, z.c)
	dweight, dbias = make([]float64, z.c), make([]float64, z.c)
	count := float64(z.n * z.h * z.w)
	for c := range z.c {
		z.each(func(n, y, x int) {
			dbias[c] += *g.at(n, y, x, c)
			dweight[c] += *g.at(n, y, x, c) * (*z.at(n, y, x, c) - a.mean[c]) * a.inverse[c]
		})
		z.each(func(n, y, x int) {
			hat := (*z.at(n, y, x, c) - a.mean[c]) * a.inverse[c]
			*dz.at(n, y, x, c) = float64(bn.Weight.Value[c]) * a.inverse[c] * (*g.at(n, y, x, c) - dbias[c]/count - hat*dweight[c]/count)
		})
	}
	return dz, dweight, dbias
}

// slope is the derivative of the leaky ReLU.
func slope(v float64) float64 {
	if v > 0 {
		return 1
	}
	return nn.LeakySlope
}
