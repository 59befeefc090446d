package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// TestGemmInt16Panel has columns of whole numbers up to the largest of 16 bits, times a
// power of two: nothing is rounded.
func TestGemmInt16Panel(t *testing.T) {
	eachSet(t, func(t *testing.T, s *Set) {
		if !s.HasInt16() {
			t.Skip("no such kernels here")
		}
		r := rand.New(rand.NewPCG(17, 18))
		for _, n := range []int{16, 32, 80} {
			for _, k := range []int{1, 9, 131} {
				for m := 1; m <= 17; m++ {
					lda, ldc := k+m%3, n+5
					a, b := random(r, m*lda), make([]float32, k*n)
					for j := range n {
						unit := float32(1) / float32(int(1)<<(15+j%2))
						for i := range k {
							b[i*n+j] = unit * float32(r.IntN(2*math.MaxInt16+1)-math.MaxInt16)
						}
						b[r.IntN(k)*n+j] = unit * math.MaxInt16 // of which the scale is the unit
					}
					testInt16(t, s, m, k, n, lda, ldc, a, b)
				}
			}
		}
	})
}

func testInt16(t *testing.T, s *Set, m, k, n, lda, ldc int, a, b []float32) {
	packed := make([]float32, PackedLen(k, n))
	s.Pack(packed, k, n, func(row, col int) float32 { return b[row*n+col] })
	want, got := make([]float32, m*ldc), make([]float32, m*ldc)
	s.Gemm(m, k, n, a, lda, packed, want, ldc, false)
	for p := range s.Panels(n) {
		col, width := s.Panel(n, p)
		whole, scales := make([]int16, k*width), make([]float32, width)
		PackInt16(whole, scales, packed[col*k:][:k*width])
		s.GemmInt16Panel(m, k, a, lda, whole, scales, got[col:], ldc)
	}
	near(t, fmt.Sprintf("m %d k %d n %d", m, k, n), got, want, 1e-4)
}

func TestPackInt16(t *testing.T) {
	dst, scales := make([]int16, 6), make([]float32, 3)
	PackInt16(dst, scales, []float32{1, 0, -0.25, -0.5, 0, 0.1})
	if got, want := fmt.Sprint(dst), "[32767 0 -32767 -16384 0 13107]"; got != want {
		t.Errorf("packed %s, want %s", got, want)
	}
	near(t, "scales", scales, []float32{1. / 32767, 0, 0.25 / 32767}, 1e-12)
}
