package kernel

import (
	"fmt"
	"math"
)

// int16Func computes C = A·B for one panel of B in whole numbers of 16 bits, which has
// width columns as in gemmFunc, each with its scale.
type int16Func func(width, m, k, lda, ldc int, a *float32, b *int16, c, scales *float32)

// HasInt16 says whether matrices can be packed as whole numbers of 16 bits. Where a
// product has few rows, memory delivers B more slowly than it is multiplied, and half the
// bytes take less time. The sums are float32 as always.
func (s *Set) HasInt16() bool { return s.int16 != nil }

// PackInt16 rounds a panel of k×width packed numbers to dst, each column to steps of its
// scale, which is its largest number's part in 32,767: by a quarter of what rounding to
// half precision (binary16) loses, since columns of filters have few outliers.
func PackInt16(dst []int16, scales, panel []float32) {
	width := len(scales)
	if width == 0 || len(panel)%width != 0 || len(dst) != len(panel) {
		panic(fmt.Sprintf("kernel: %d numbers of %d columns to round to %d", len(panel), width, len(dst)))
	}
	clear(scales)
	for row := 0; row < len(panel); row += width {
		for j, v := range panel[row:][:width] {
			scales[j] = max(scales[j], v, -v)
		}
	}
	steps := make([]float32, width)
	for j, largest := range scales {
		if largest > 0 {
			scales[j], steps[j] = largest/math.MaxInt16, math.MaxInt16/largest
		}
	}
	for row := 0; row < len(panel); row += width {
		to := dst[row:][:width]
		for j, v := range panel[row:][:width] {
			v *= steps[j]
			to[j] = int16(v + float32(math.Copysign(0.5, float64(v))))
		}
	}
}

// GemmInt16Panel computes C = A·B like [Set.GemmPanel] for a panel of B as
// [PackInt16] packs it. It needs [Set.HasInt16].
func (s *Set) GemmInt16Panel(m, k int, a []float32, lda int, b []int16, scales, c []float32, ldc int) {
	if m <= 0 {
		return
	}
	if k <= 0 {
		panic("kernel: matrix product over no terms")
	}
	width := len(scales)
	_, _, _ = a[(m-1)*lda+k-1], b[k*width-1], c[(m-1)*ldc+width-1]
	s.int16(width, m, k, lda, ldc, &a[0], &b[0], &c[0], &scales[0])
}
