//go:build goexperiment.simd

package kernel

import "simd/archsimd"

// EndVectors clears the upper halves of vector registers. While they hold something,
// every change between older and newer instructions costs some 50 cycles on Intel's
// processors with AVX-512: math.Exp, which has both, took 730 ns instead of 5 on a
// Sapphire Rapids. What computes in vectors ends so; long loops around math.Exp or math.FMA
// say it now and then, as Go's runtime fills those halves whenever it interrupts a goroutine.
func EndVectors() {
	if archsimd.X86.AVX() {
		archsimd.ClearAVXUpperBits()
	}
}
