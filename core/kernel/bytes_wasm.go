package kernel

import "unsafe"

//go:noescape
func bytes2x16(k int, a *uint8, b *int8, sums *int32)

// bytePanelOf is the product of bytes of a set.
func bytePanelOf(int) bytePanelFunc { return bytePanelSIMD128 }

// bytePanelSIMD128 pairs the rows, as gemmSIMD128 does.
func bytePanelSIMD128(width, rows, k int, a *uint8, b *int8, sums *int32) {
	for row := 0; row < rows; row += 2 {
		bytes2x16(k, (*uint8)(unsafe.Add(unsafe.Pointer(a), row*k)), b, (*int32)(unsafe.Add(unsafe.Pointer(sums), row*width*4)))
	}
}
