//go:build !amd64 || !goexperiment.simd

package kernel

// EndVectors does nothing on this platform: see upper_amd64.go.
func EndVectors() {}
