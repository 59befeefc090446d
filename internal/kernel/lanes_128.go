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

// fused returns a·b + c, rounded once on arm64. In WebAssembly it is a product and a sum, which
// internal/wasmopt fuses where possible.
func fused(a, b, c vec) vec { return a.MulAdd(b, c) }

func load(p unsafe.Pointer, offset int) vec {
	return archsimd.LoadFloat32x4Array((*[lanes]float32)(unsafe.Add(p, offset*4)))
}

func store(p unsafe.Pointer, offset int, v vec) {
	v.StoreArray((*[lanes]float32)(unsafe.Add(p, offset*4)))
}
