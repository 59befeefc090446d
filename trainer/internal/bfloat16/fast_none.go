//go:build !goexperiment.simd || !(amd64 || arm64)

package bfloat16

const vectorBuild = false

var fast *Kernels
