package kernel_test

import (
	"fmt"

	"github.com/deepemd/deepemd/internal/kernel"
)

// Every set of kernels computes the same product, at its own speed: C = A·B with B
// packed once.
func ExampleSet_Gemm() {
	const m, k, n = 2, 3, kernel.Lanes
	a := []float32{
		1, 2, 3,
		4, 5, 6,
	}
	column := func(row, col int) float32 { return float32(row * col) } // B

	agree := true
	var first []float32
	for _, set := range kernel.Available() {
		b := make([]float32, kernel.PackedLen(k, n))
		set.Pack(b, k, n, column)
		c := make([]float32, m*n)
		set.Gemm(m, k, n, a, k, b, c, n, false)
		if first == nil {
			first = c
		}
		for i := range c {
			agree = agree && c[i] == first[i]
		}
	}
	fmt.Println(first[:4], first[n:n+4], agree)
	// Output: [0 8 16 24] [0 17 34 51] true
}
