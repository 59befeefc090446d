//go:build !goexperiment.simd || !amd64

package kernel

import "unsafe"

// vectorPixels says whether what splits and finishes pixels has vectors: neither function
// is called where it has not.
const vectorPixels = false

func vectorSplit(_, _, _ unsafe.Pointer, _, _ int) { panic("kernel: no vectors to split with") }

func vectorFinishPixels(_, _, _ unsafe.Pointer, _ bool, _, _ int, _ float32) {
	panic("kernel: no vectors to finish with")
}
