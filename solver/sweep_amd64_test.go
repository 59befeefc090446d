//go:build goexperiment.simd

package solver

import "simd/archsimd"

func init() {
	if archsimd.X86.AVX2() {
		sweeps["AVX2"] = sweepAVX2
	}
}
