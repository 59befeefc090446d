//go:build !goexperiment.simd || !(arm64 || wasm)

package match

import "github.com/deepemd/deepemd/internal/kernel"

// The loops over channels in plain Go. They are the reference for vectors_128.go: the compiler does
// not vectorize them.

// dot returns the product of two vectors of the same length.
func dot(a, b []float32) float32 { return float32(kernel.Dot(a, b)) }

// axpy adds a·x to dst.
func axpy(dst []float32, a float32, x []float32) { kernel.AddTimes(dst, a, x) }

// sum returns the sum of a vector's values.
func sum(a []float32) float64 {
	var s float64
	for _, v := range a {
		s += float64(v)
	}
	return s
}

// deviation returns the sum of squared distances from center.
func deviation(a []float32, center float64) float64 {
	var s float64
	for _, v := range a {
		d := float64(v) - center
		s += d * d
	}
	return s
}

// standardize writes (a − center)·scale to dst, which may alias a.
func standardize(dst, a []float32, center, scale float64) {
	dst = dst[:len(a)]
	for k, v := range a {
		dst[k] = float32((float64(v) - center) * scale)
	}
}
