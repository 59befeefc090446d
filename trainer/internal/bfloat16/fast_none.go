//go:build !goexperiment.simd || !(amd64 || arm64)

package bfloat16

// fast is nil in builds without vectors.
var fast *Kernels
