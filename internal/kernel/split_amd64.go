//go:build goexperiment.simd

package kernel

import (
	"simd/archsimd"
	"unsafe"
)

func init() { vectorSplit, vectorFinishPixels = splitAVX512, finishPixelsAVX512 }

// Indices of the even and the odd channels in two vectors of 16.
var (
	evenOfTwo = [16]uint32{0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30}
	oddOfTwo  = [16]uint32{1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31}
)

// splitAVX512 is [Set.SplitPixels] for 32 channels.
func splitAVX512(firstPtr, secondPtr, srcPtr unsafe.Pointer, pixels, stride int) {
	evenAt, oddAt := archsimd.LoadUint32x16Array(&evenOfTwo), archsimd.LoadUint32x16Array(&oddOfTwo)
	half, one := archsimd.BroadcastUint32x16(0x7fff), archsimd.BroadcastUint32x16(1)
	upper := archsimd.BroadcastUint32x16(0xffff0000)
	for range pixels {
		a := archsimd.LoadFloat32x16Array((*[16]float32)(srcPtr))
		b := archsimd.LoadFloat32x16Array((*[16]float32)(unsafe.Add(srcPtr, 64)))
		even, odd := a.ConcatPermute(b, evenAt), a.ConcatPermute(b, oddAt)
		e, o := even.ToBits(), odd.ToBits()
		e = e.Add(e.ShiftAllRight(16).And(one)).Add(half).And(upper)
		o = o.Add(o.ShiftAllRight(16).And(one)).Add(half).And(upper)
		e.ShiftAllRight(16).Or(o).StoreArray((*[16]uint32)(firstPtr))
		even, odd = even.Sub(e.BitsToFloat32()), odd.Sub(o.BitsToFloat32())
		e, o = even.ToBits(), odd.ToBits()
		e = e.Add(e.ShiftAllRight(16).And(one)).Add(half).ShiftAllRight(16)
		o = o.Add(o.ShiftAllRight(16).And(one)).Add(half).And(upper)
		e.Or(o).StoreArray((*[16]uint32)(secondPtr))
		srcPtr = unsafe.Add(srcPtr, stride*4)
		firstPtr, secondPtr = unsafe.Add(firstPtr, 64), unsafe.Add(secondPtr, 64)
	}
	EndVectors()
}

// finishPixelsAVX512 is [Set.FinishPixels] for 16 channels.
func finishPixelsAVX512(dst, sums, bias unsafe.Pointer, add bool, pixels, stride int, slope float32) {
	leak, b := archsimd.BroadcastFloat32x16(slope), archsimd.LoadFloat32x16Array((*[16]float32)(bias))
	for range pixels {
		v := archsimd.LoadFloat32x16Array((*[16]float32)(sums)).Add(b)
		if add {
			v = v.Add(archsimd.LoadFloat32x16Array((*[16]float32)(dst)))
		}
		v.Max(v.Mul(leak)).StoreArray((*[16]float32)(dst))
		dst, sums = unsafe.Add(dst, stride*4), unsafe.Add(sums, BlockSide*4)
	}
	EndVectors()
}
