//go:build !goexperiment.simd || !linux || !amd64

package bfloat16

const hasTiles = false

var fast *Kernels
