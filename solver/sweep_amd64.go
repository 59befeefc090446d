//go:build goexperiment.simd

package solver

import (
	"math/bits"
	"simd/archsimd"
)

func init() {
	switch {
	case archsimd.X86.AVX512():
		sweep = sweepAVX512
	case archsimd.X86.AVX2():
		sweep = sweepAVX2
	}
}

func sweepAVX512(list []candidate, cost, v, u []int64, row, m int32) (n int) {
	for i, u := range u {
		shift := archsimd.BroadcastInt64x8(u)
		cost := cost[i*len(v):][:len(v)]
		for j := 0; j+8 <= len(v); j += 8 {
			c := archsimd.LoadInt64x8Array((*[8]int64)(cost[j:]))
			w := archsimd.LoadInt64x8Array((*[8]int64)(v[j:]))
			for b := c.Add(shift).Less(w).ToBits(); b != 0; b &= b - 1 {
				e := j + bits.TrailingZeros8(b)
				list[n] = candidate{cost[e], row + int32(i), m + int32(e)}
				n++
			}
		}
	}
	archsimd.ClearAVXUpperBits() // Scalar code is many times slower on some processors while they hold something.
	return n
}

func sweepAVX2(list []candidate, cost, v, u []int64, row, m int32) (n int) {
	for i, u := range u {
		shift := archsimd.BroadcastInt64x4(u)
		cost := cost[i*len(v):][:len(v)]
		for j := 0; j+4 <= len(v); j += 4 {
			c := archsimd.LoadInt64x4Array((*[4]int64)(cost[j:]))
			w := archsimd.LoadInt64x4Array((*[4]int64)(v[j:]))
			for b := w.Greater(c.Add(shift)).ToBits(); b != 0; b &= b - 1 {
				e := j + bits.TrailingZeros8(b)
				list[n] = candidate{cost[e], row + int32(i), m + int32(e)}
				n++
			}
		}
	}
	archsimd.ClearAVXUpperBits() // Scalar code is many times slower on some processors while they hold something.
	return n
}
