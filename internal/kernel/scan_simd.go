//go:build goexperiment.simd && amd64

package kernel

import (
	"simd/archsimd"
	"unsafe"
)

// vectorScan widens 16 bytes at a time and multiplies them in pairs (VPMADDWD).
func vectorScan(dst []int32, rows []byte, query []int16) {
	const width = 16
	first := unsafe.Pointer(&rows[0])
	var lane [8]int32
	for i := range dst {
		row := unsafe.Add(first, i*len(query))
		var even, odd archsimd.Int32x8
		k := 0
		for ; k+2*width <= len(query); k += 2 * width {
			q := unsafe.Pointer(&query[k])
			even = even.Add(bytesAt(row, k).DotProductPairs(archsimd.LoadInt16x16Array((*[width]int16)(q))))
			odd = odd.Add(bytesAt(row, k+width).DotProductPairs(archsimd.LoadInt16x16Array((*[width]int16)(unsafe.Add(q, 2*width)))))
		}
		if k < len(query) {
			even = even.Add(bytesAt(row, k).DotProductPairs(archsimd.LoadInt16x16Array((*[width]int16)(unsafe.Pointer(&query[k])))))
		}
		even.Add(odd).StoreArray(&lane)
		sum := int32(0)
		for _, v := range lane {
			sum += v
		}
		dst[i] = sum
	}
	EndVectors()
}

func bytesAt(p unsafe.Pointer, offset int) archsimd.Int16x16 {
	return archsimd.LoadInt8x16Array((*[16]int8)(unsafe.Add(p, offset))).ExtendToInt16()
}
