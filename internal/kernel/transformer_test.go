package kernel

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestStandardize(t *testing.T) {
	eachSet(t, func(t *testing.T, s *Set) {
		r := rand.New(rand.NewPCG(5, 6))
		const rows, c, epsilon = 5, 48, 1e-6
		x := random(r, rows*c)
		for i := range c {
			x[i] = 1e4 + x[i] // far from zero
			x[c+i] = 3        // without variance
		}
		want := make([]float32, len(x))
		for row := range rows {
			var mean, square float64
			for _, v := range x[row*c:][:c] {
				mean += float64(v) / c
			}
			for _, v := range x[row*c:][:c] {
				square += (float64(v) - mean) * (float64(v) - mean) / c
			}
			for i, v := range x[row*c:][:c] {
				want[row*c+i] = float32((float64(v) - mean) / math.Sqrt(square+epsilon))
			}
		}
		got := make([]float32, len(x))
		s.Standardize(got, x, rows, c, epsilon)
		near(t, "far from zero", got[:c], want[:c], 2e-3) // the float32 of such values are 1e-3 apart
		near(t, "rows", got[c:], want[c:], 2e-6)
		s.Standardize(x, x, rows, c, epsilon)
		near(t, "in place", x, got, 0)
	})
}

func TestGelu(t *testing.T) {
	eachSet(t, func(t *testing.T, s *Set) {
		const rows, c = 4001, 16
		x, bias, want := make([]float32, rows*c), make([]float32, c), make([]float32, rows*c)
		for i := range bias {
			bias[i] = float32(i) / 100
		}
		for i := range x {
			x[i] = float32(i-len(x)/2) / 2000 // to ±16
			v := float64(x[i] + bias[i%c])
			want[i] = float32(v / 2 * math.Erfc(-v/math.Sqrt2))
		}
		s.Gelu(x, bias, rows, c)
		for i := range want {
			if d := math.Abs(float64(x[i] - want[i])); !(d <= 3e-7*max(1, math.Abs(float64(i-len(x)/2)/2000))) {
				t.Fatalf("value %d is %v, want %v", i, x[i], want[i])
			}
		}
		far := []float32{-1e30, 1e30, -1e4, 1e4, -100, 100, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}
		s.Gelu(far, make([]float32, 16), 1, 16)
		for i, want := range []float64{0, 1e30, 0, 1e4, 0, 100, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0} {
			if !(math.Abs(float64(far[i])-want) <= 3e-7*want) {
				t.Errorf("far from zero: value %d is %v, want %v", i, far[i], want)
			}
		}
	})
}

func TestSoftmax(t *testing.T) {
	eachSet(t, func(t *testing.T, s *Set) {
		r := rand.New(rand.NewPCG(7, 8))
		for _, n := range []int{1, 4, 7, 16, 29, 48} {
			const rows, c = 3, 48
			x, want := random(r, rows*c), make([]float32, rows*c)
			for i := range x {
				x[i] = 20*x[i] - 500
			}
			if n > 1 {
				x[0], x[1] = 80, -3e38
			}
			for row := range rows {
				top, sum := float64(x[row*c]), 0.0
				for _, v := range x[row*c:][:n] {
					top = max(top, float64(v))
				}
				for _, v := range x[row*c:][:n] {
					sum += math.Exp(float64(v) - top)
				}
				for i, v := range x[row*c:][:n] {
					want[row*c+i] = float32(math.Exp(float64(v)-top) / sum)
				}
			}
			s.Softmax(x, rows, n, c)
			near(t, "softmax", x, want, 1e-6)
		}
	})
}
