package kernel

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

// bytes4x32 computes four rows of 32 columns (AVX512_VNNI).
//
//go:noescape
func bytes4x32(k int, a *uint8, b *int8, sums *int32)

// bytes4x16 computes four rows of 16 columns of a panel with width columns (AVX2).
//
//go:noescape
func bytes4x16(k, width int, a *uint8, b *int8, sums *int32)

// Only sets with AVX-512 have panels of 32 columns.
func bytePanelOf(panel int) bytePanelFunc {
	if panel == 32 && cpu.X86.HasAVX512VNNI {
		return bytePanelVNNI
	}
	return bytePanelAVX2
}

func bytePanelVNNI(width, rows, k int, a *uint8, b *int8, sums *int32) {
	if width != 32 {
		bytePanelAVX2(width, rows, k, a, b, sums)
		return
	}
	for row := 0; row < rows; row += ByteRows {
		bytes4x32(k, (*uint8)(unsafe.Add(unsafe.Pointer(a), row*k)), b, (*int32)(unsafe.Add(unsafe.Pointer(sums), row*width*4)))
	}
}

func bytePanelAVX2(width, rows, k int, a *uint8, b *int8, sums *int32) {
	for col := 0; col < width; col += Lanes {
		for row := 0; row < rows; row += ByteRows {
			bytes4x16(k, width, (*uint8)(unsafe.Add(unsafe.Pointer(a), row*k)), (*int8)(unsafe.Add(unsafe.Pointer(b), col*quad)),
				(*int32)(unsafe.Add(unsafe.Pointer(sums), (row*width+col)*4)))
		}
	}
}
