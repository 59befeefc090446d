//go:build !amd64 || !goexperiment.simd

package kernel

// EndVectors has nothing to clear here: see upper_amd64.go.
func EndVectors() {}
