package match

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/deepemd/deepemd/internal/kernel"
)

// Compares the packed product with float64 sums, for every set of kernels and every kind of
// padding.
func TestPackedProduct(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	random := func(n int) []float32 {
		s := make([]float32, n)
		for i := range s {
			s[i] = float32(rng.NormFloat64())
		}
		return s
	}
	for _, set := range kernel.Available() {
		t.Run(set.Name(), func(t *testing.T) {
			for _, n := range []int{1, 2, 25, 30} {
				for _, m := range []int{1, 15, 16, 17, 25, 32, 49} {
					for _, c := range []int{1, 3, 17, 320} {
						a, b := random(n*c), random((m+1)*c)
						dst := make([]float32, n*columns(m))
						set.Gemm(n, c, columns(m), a, c, pack(nil, set, b, m, c), dst, columns(m), false)
						for i := range n {
							for j := range columns(m) {
								var want float64
								for k := range c {
									if j <= m {
										want += float64(a[i*c+k]) * float64(b[j*c+k])
									}
								}
								if got := float64(dst[i*columns(m)+j]); math.Abs(got-want) > 1e-4 {
									t.Fatalf("n=%d m=%d c=%d: product %d,%d is %v, want %v", n, m, c, i, j, got, want)
								}
							}
						}
					}
				}
			}
		})
	}
}

func TestDot(t *testing.T) {
	for n := range 10 {
		a, b := make([]float32, n), make([]float32, n)
		var want float32
		for i := range n {
			a[i], b[i] = float32(i+1), float32(2*i-3)
			want += a[i] * b[i]
		}
		if got := dot(a, b); got != want {
			t.Errorf("%d terms: %v, want %v", n, got, want)
		}
	}
}

// The loops over channels, at lengths with any remainder.
func TestVectors(t *testing.T) {
	for n := 1; n < 30; n++ {
		a, dst := make([]float32, n), make([]float32, n)
		var total, squares float64
		for i := range n {
			a[i], dst[i] = float32(i%7), 1
			total += float64(i % 7)
			squares += float64((i%7 - 2) * (i%7 - 2))
		}
		if got := sum(a); got != total {
			t.Errorf("sum of %d: %v, want %v", n, got, total)
		}
		if got := deviation(a, 2); got != squares {
			t.Errorf("spread of %d: %v, want %v", n, got, squares)
		}
		axpy(dst, 3, a)
		for i, v := range dst {
			if want := 1 + 3*a[i]; v != want {
				t.Errorf("axpy of %d: value %d is %v, want %v", n, i, v, want)
			}
		}
		standardize(dst, dst, 2, 0.5)
		for i, v := range dst {
			if want := (3*a[i] - 1) / 2; v != want {
				t.Errorf("standardized %d: value %d is %v, want %v", n, i, v, want)
			}
		}
	}
}
