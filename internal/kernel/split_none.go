//go:build !goexperiment.simd || !amd64

package kernel

import "unsafe"

// The functions below are never called.
const vectorPixels = false

func vectorSplit(_, _, _ unsafe.Pointer, _, _ int) {
	panic("kernel: this build has no vector instructions")
}

func vectorFinishPixels(_, _, _ unsafe.Pointer, _ bool, _, _ int, _ float32) {
	panic("kernel: this build has no vector instructions")
}
