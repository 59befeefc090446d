//go:build goexperiment.simd

package bfloat16

import (
	"simd/archsimd"
	"unsafe"
)

// lanes is the number of words in a vector: a quarter of a row.
const lanes = 4

type (
	vec  = archsimd.Float32x4
	pack = archsimd.Uint32x4
)

func broadcast(x float32) vec { return archsimd.BroadcastFloat32x4(x) }
func every(w uint32) pack     { return archsimd.BroadcastUint32x4(w) }

// load reads words, and loadFloats floats, at an offset in values.
func load(p unsafe.Pointer, offset int) pack {
	return archsimd.LoadUint32x4Array((*[lanes]uint32)(unsafe.Add(p, offset*4)))
}

func loadFloats(p unsafe.Pointer, offset int) vec {
	return archsimd.LoadFloat32x4Array((*[lanes]float32)(unsafe.Add(p, offset*4)))
}

// unzip separates the even and odd values of two consecutive vectors.
type unzip struct{}

func newUnzip() unzip { return unzip{} }

func (unzip) of(a, b vec) (even, odd vec) {
	x, y := a.ToBits(), b.ToBits()
	return x.ConcatEven(y).BitsToFloat32(), x.ConcatOdd(y).BitsToFloat32()
}

// zip is the inverse of unzip.
type zip struct{}

func newZip() zip { return zip{} }

func (zip) of(even, odd vec) (a, b vec) {
	x, y := even.ToBits(), odd.ToBits()
	return x.InterleaveLo(y).BitsToFloat32(), x.InterleaveHi(y).BitsToFloat32()
}
