//go:build goexperiment.simd

package kernel

import "simd/archsimd"

// EndVectors clears the upper halves of vector registers. While they hold something,
// every change between older and newer instructions costs many cycles on Intel's
// processors with AVX-512: math.Exp, which has both, takes a hundred times as long
// (BenchmarkExpBesideVectors). What computes in vectors ends so; long loops around math.Exp or math.FMA
// say it now and then, as Go's runtime fills those halves whenever it interrupts a goroutine.
func EndVectors() {
	if archsimd.X86.AVX() {
		archsimd.ClearAVXUpperBits()
	}
}
