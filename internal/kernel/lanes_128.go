//go:build goexperiment.simd && (arm64 || wasm)

package kernel

import (
	"simd/archsimd"
	"unsafe"
)

const lanes = 4

type (
	vec  = archsimd.Float32x4
	ints = archsimd.Int32x4
)

func broadcast(x float32) vec { return archsimd.BroadcastFloat32x4(x) }

func load(p unsafe.Pointer, offset int) vec {
	return archsimd.LoadFloat32x4Array((*[lanes]float32)(unsafe.Add(p, offset*4)))
}
