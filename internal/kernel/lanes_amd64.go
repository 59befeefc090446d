//go:build goexperiment.simd

package kernel

import (
	"simd/archsimd"
	"unsafe"
)

const lanes = 8

type (
	vec  = archsimd.Float32x8
	ints = archsimd.Int32x8
)

func broadcast(x float32) vec { return archsimd.BroadcastFloat32x8(x) }

// fused returns a·b + c, rounded once if the processor has FMA.
func fused(a, b, c vec) vec { return a.MulAdd(b, c) }

func load(p unsafe.Pointer, offset int) vec {
	return archsimd.LoadFloat32x8Array((*[lanes]float32)(unsafe.Add(p, offset*4)))
}

func store(p unsafe.Pointer, offset int, v vec) {
	v.StoreArray((*[lanes]float32)(unsafe.Add(p, offset*4)))
}
