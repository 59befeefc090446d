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

func load(p unsafe.Pointer, offset int) vec {
	return archsimd.LoadFloat32x8Array((*[lanes]float32)(unsafe.Add(p, offset*4)))
}
