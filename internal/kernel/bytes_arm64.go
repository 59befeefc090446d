package kernel

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

type bytes4x16 func(k int, a *uint8, b *int8, sums *int32)

// bytesDot4x16 sums four products at a time (FEAT_DotProd).
//
//go:noescape
func bytesDot4x16(k int, a *uint8, b *int8, sums *int32)

// bytesPairs4x16 runs on every arm64: it sums pairs of products as 16-bit integers.
//
//go:noescape
func bytesPairs4x16(k int, a *uint8, b *int8, sums *int32)

func bytePanelOf(int) bytePanelFunc {
	if cpu.ARM64.HasASIMDDP {
		return bytePanelBy(bytesDot4x16)
	}
	return bytePanelBy(bytesPairs4x16)
}

func bytePanelBy(multiply bytes4x16) bytePanelFunc {
	return func(width, rows, k int, a *uint8, b *int8, sums *int32) {
		for row := 0; row < rows; row += ByteRows {
			multiply(k, (*uint8)(unsafe.Add(unsafe.Pointer(a), row*k)), b, (*int32)(unsafe.Add(unsafe.Pointer(sums), row*width*4)))
		}
	}
}
