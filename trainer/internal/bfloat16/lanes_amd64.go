//go:build goexperiment.simd

package bfloat16

import (
	"simd/archsimd"
	"unsafe"
)

// lanes is the number of words in a vector: a whole row.
const lanes = 16

type (
	vec  = archsimd.Float32x16
	pack = archsimd.Uint32x16
)

func broadcast(x float32) vec { return archsimd.BroadcastFloat32x16(x) }
func every(w uint32) pack     { return archsimd.BroadcastUint32x16(w) }

// load reads words, and loadFloats floats, at an offset in values.
func load(p unsafe.Pointer, offset int) pack {
	return archsimd.LoadUint32x16Array((*[lanes]uint32)(unsafe.Add(p, offset*4)))
}

func loadFloats(p unsafe.Pointer, offset int) vec {
	return archsimd.LoadFloat32x16Array((*[lanes]float32)(unsafe.Add(p, offset*4)))
}

// Permutations of two vectors for unzip and zip.
var (
	evenAt = [lanes]uint32{0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30}
	oddAt  = [lanes]uint32{1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31}
	backLo = [lanes]uint32{0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23}
	backHi = [lanes]uint32{8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31}
)

// unzip separates the even and odd values of two consecutive vectors.
type unzip struct{ even, odd pack }

func newUnzip() unzip {
	return unzip{archsimd.LoadUint32x16Array(&evenAt), archsimd.LoadUint32x16Array(&oddAt)}
}

func (u unzip) of(a, b vec) (even, odd vec) {
	return a.ConcatPermute(b, u.even), a.ConcatPermute(b, u.odd)
}

// zip is the inverse of unzip.
type zip struct{ low, high pack }

func newZip() zip {
	return zip{archsimd.LoadUint32x16Array(&backLo), archsimd.LoadUint32x16Array(&backHi)}
}

func (z zip) of(even, odd vec) (a, b vec) {
	return even.ConcatPermute(odd, z.low), even.ConcatPermute(odd, z.high)
}
