package kernel

import "unsafe"

//go:noescape
func gemm2x16(m, k, lda, ldc int, a, b, c *float32, accumulate bool)

//go:noescape
func gemm1x16(k int, a, b, c *float32, accumulate bool)

// gemmSIMD128 pairs the rows: a tile of 2×16 is what V8's registers hold.
func gemmSIMD128(_, m, k, lda, ldc int, a, b, c *float32, accumulate bool) {
	pairs := m &^ 1
	if pairs > 0 {
		gemm2x16(pairs, k, lda, ldc, a, b, c, accumulate)
	}
	if m > pairs {
		a = (*float32)(unsafe.Add(unsafe.Pointer(a), pairs*lda*4))
		c = (*float32)(unsafe.Add(unsafe.Pointer(c), pairs*ldc*4))
		gemm1x16(k, a, b, c, accumulate)
	}
}

// detect lists what the machine runs. A WebAssembly module cannot ask: where
// SIMD is missing, this module would not have compiled. Aᵀ·B is for training,
// which does not happen here.
func detect() []*Set { return []*Set{vectorSet("simd128", 16, gemmSIMD128, gemmTGeneric)} }
