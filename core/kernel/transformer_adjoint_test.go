package kernel

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The truth is the central difference of each definition in float64.

func TestUngelu(t *testing.T) {
	eachSet(t, func(t *testing.T, s *Set) {
		const n, step = 64000, 1e-4
		x, g, want := make([]float32, n), make([]float32, n), make([]float32, n)
		gelu := func(v float64) float64 { return v / 2 * math.Erfc(-v/math.Sqrt2) }
		for i := range x {
			x[i], g[i] = float32(i-n/2)/4000, float32(1+i%3)
			v := float64(x[i])
			want[i] = g[i] * float32((gelu(v+step)-gelu(v-step))/(2*step))
		}
		s.Ungelu(g, x, n)
		near(t, "slopes", g, want, 2e-6)
		far := []float32{-1e30, 1e30, -1e4, 1e4, -100, 100, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}
		g = make([]float32, 16)
		for i := range g {
			g[i] = 1
		}
		s.Ungelu(g, far, 16)
		near(t, "far from zero", g, []float32{0, 1, 0, 1, 0, 1, .5, .5, .5, .5, .5, .5, .5, .5, .5, .5}, 1e-6)
	})
}

// slopes fails unless got is the gradient of Σ upstream·f(x), by central differences.
func slopes(t *testing.T, what string, got, upstream, x []float32, f func(x []float64) []float64) {
	t.Helper()
	const step = 1e-5
	at := make([]float64, len(x))
	for i, v := range x {
		at[i] = float64(v)
	}
	loss := func() (sum float64) {
		for i, v := range f(at) {
			sum += v * float64(upstream[i])
		}
		return sum
	}
	want := make([]float32, len(x))
	for i, v := range at {
		at[i] = v + step
		above := loss()
		at[i] = v - step
		want[i] = float32((above - loss()) / (2 * step))
		at[i] = v
	}
	near(t, what, got, want, 1e-5)
}

func TestUnstandardize(t *testing.T) {
	eachSet(t, func(t *testing.T, s *Set) {
		r := rand.New(rand.NewPCG(7, 8))
		const rows, c = 3, 48
		x, g := random(r, rows*c), random(r, rows*c)
		y, inverse, got := make([]float32, rows*c), make([]float32, rows), append([]float32(nil), g...)
		for row := range rows {
			values := make([]float64, c)
			for i, v := range x[row*c:][:c] {
				values[i] = float64(v)
			}
			standard, scale := standardized(values)
			inverse[row] = float32(scale)
			for i, v := range standard {
				y[row*c+i] = float32(v)
			}
		}
		s.Unstandardize(got, y, inverse, rows, c)
		for row := range rows {
			slopes(t, "row", got[row*c:][:c], g[row*c:][:c], x[row*c:][:c], func(x []float64) []float64 {
				y, _ := standardized(x)
				return y
			})
		}
	})
}

// standardized is the definition, without epsilon, and what it scales by.
func standardized(x []float64) (y []float64, scale float64) {
	mean, square := 0.0, 0.0
	for _, v := range x {
		mean += v / float64(len(x))
	}
	for _, v := range x {
		square += (v - mean) * (v - mean) / float64(len(x))
	}
	for _, v := range x {
		y = append(y, (v-mean)/math.Sqrt(square))
	}
	return y, 1 / math.Sqrt(square)
}

func TestUnsoftmax(t *testing.T) {
	eachSet(t, func(t *testing.T, s *Set) {
		r := rand.New(rand.NewPCG(9, 10))
		const rows, n, c, scale = 3, 21, 32, 0.25
		x, g := random(r, rows*c), random(r, rows*c)
		p, got := append([]float32(nil), x...), append([]float32(nil), g...)
		s.Softmax(p, rows, n, c)
		s.Unsoftmax(got, p, rows, c, scale)
		for row := range rows {
			slopes(t, "row", got[row*c:][:n], g[row*c:][:n], x[row*c:][:n], func(x []float64) (p []float64) {
				sum := 0.0
				for _, v := range x {
					sum += math.Exp(v) / scale
				}
				for _, v := range x {
					p = append(p, math.Exp(v)/sum)
				}
				return p
			})
			near(t, "past the part", got[row*c+n:][:c-n], make([]float32, c-n), 0)
		}
	})
}
