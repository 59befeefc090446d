//go:build !goexperiment.simd || !amd64

package bfloat16

const vectorBuild = false

var fast *Kernels
