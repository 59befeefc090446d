//go:build goexperiment.simd

package kernel_test

import (
	"math"
	"simd/archsimd"
	"testing"

	"github.com/deepemd/deepemd/internal/kernel"
)

// BenchmarkExpBesideVectors measures math.Exp with and without data in the upper halves of vector
// registers. GODEBUG=asyncpreemptoff=1 keeps the runtime from filling them.
func BenchmarkExpBesideVectors(b *testing.B) {
	if !archsimd.X86.AVX2() {
		b.Skip("no AVX2 here")
	}
	var v [8]float32
	fill := func() {
		twice := archsimd.LoadFloat32x8Array(&v)
		twice.Add(twice).StoreArray(&v)
	}
	for _, halves := range []struct {
		are  string
		make func()
	}{{"filled", fill}, {"cleared", kernel.EndVectors}} {
		b.Run(halves.are, func(b *testing.B) {
			sum := 0.0
			for i := range b.N {
				if i%64 == 0 {
					halves.make()
				}
				sum += math.Exp(-float64(i % 16))
			}
			v[0] = float32(sum)
			kernel.EndVectors()
		})
	}
}
