//go:build goexperiment.simd

package kernel

import "simd/archsimd"

// EndVectors clears the upper halves of vector registers. While they are in use, switching between
// SSE and AVX instructions costs many cycles on Intel processors with AVX-512. math.Exp contains
// both and takes a hundred times as long (BenchmarkExpBesideVectors). Functions that use vectors
// must therefore end with EndVectors. Long loops around math.Exp or math.FMA also call it from time
// to time, since the Go runtime fills the upper halves when it preempts a goroutine.
func EndVectors() {
	if archsimd.X86.AVX() {
		archsimd.ClearAVXUpperBits()
	}
}
