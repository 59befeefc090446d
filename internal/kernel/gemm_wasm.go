package kernel

import "unsafe"

//go:noescape
func gemm2x16(m, k, lda, ldc int, a, b, c, from, bias *float32, slope, most float32)

//go:noescape
func gemm1x16(k int, a, b, c, from, bias *float32, slope, most float32)

// gemmSIMD128 computes rows in pairs: V8 keeps 2×16 sums in registers.
func gemmSIMD128(_, m, k, lda, ldc int, a, b, c, from, bias *float32, slope, most float32) {
	pairs := m &^ 1
	if pairs > 0 {
		gemm2x16(pairs, k, lda, ldc, a, b, c, from, bias, slope, most)
	}
	if m > pairs {
		a = (*float32)(unsafe.Add(unsafe.Pointer(a), pairs*lda*4))
		c = (*float32)(unsafe.Add(unsafe.Pointer(c), pairs*ldc*4))
		if from != nil {
			from = (*float32)(unsafe.Add(unsafe.Pointer(from), pairs*ldc*4))
		}
		gemm1x16(k, a, b, c, from, bias, slope, most)
	}
}

// detect returns the SIMD set: without SIMD, this module would not compile. Aᵀ·B is generic, since
// nothing trains in WebAssembly.
func detect() []*Set {
	name := "simd128"
	if fuses() {
		name = "simd128-fma"
	}
	set := vectorSet(name, 16, gemmSIMD128, gemmTGeneric)
	set.frugal = true
	return []*Set{set}
}

// fuses reports whether products and sums are fused in this module (internal/wasmopt): then x² −
// x², rounded once, is the rounding error.
func fuses() bool {
	x := float32(1 + 1./(1<<12))
	a, b, c := [1]float32{x}, [16]float32{0: x}, [16]float32{0: -x * x}
	gemm1x16(1, &a[0], &b[0], &c[0], &c[0], nil, 0, 0)
	return c[0] != 0
}
