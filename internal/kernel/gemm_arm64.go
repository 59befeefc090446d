package kernel

//go:noescape
func gemmNEON1x16(k, lda, ldc int, a, b, c, from, bias *float32, next uintptr, step int, slope, most float32)

//go:noescape
func gemmNEON2x16(k, lda, ldc int, a, b, c, from, bias *float32, next uintptr, step int, slope, most float32)

//go:noescape
func gemmNEON3x16(k, lda, ldc int, a, b, c, from, bias *float32, next uintptr, step int, slope, most float32)

//go:noescape
func gemmNEON4x16(k, lda, ldc int, a, b, c, from, bias *float32, next uintptr, step int, slope, most float32)

//go:noescape
func gemmNEON5x16(k, lda, ldc int, a, b, c, from, bias *float32, next uintptr, step int, slope, most float32)

//go:noescape
func gemmNEON6x16(k, lda, ldc int, a, b, c, from, bias *float32, next uintptr, step int, slope, most float32)

//go:noescape
func gemmTNEON4x16(k, lda, ldb, ldc int, a, b, c *float32, accumulate bool)

var rowsNEON = []rowsKernel{nil, gemmNEON1x16, gemmNEON2x16, gemmNEON3x16, gemmNEON4x16, gemmNEON5x16, gemmNEON6x16}

func gemmNEON(width, m, k, lda, ldc int, a, b, c, from, bias *float32, slope, most float32) {
	gemmRows(rowsNEON, width, m, k, lda, ldc, a, b, c, from, bias, slope, most)
}

func gemmTNEON(_, m, k, lda, ldb, ldc int, a, b, c *float32, accumulate bool) {
	gemmTRows(gemmTNEON4x16, 4, m, k, lda, ldb, ldc, a, b, c, accumulate)
}

// detect returns the NEON set, which every arm64 supports. It is frugal like simd128, whose vectors
// have the same length; this was not measured.
func detect() []*Set {
	set := vectorSet("neon", 16, gemmNEON, gemmTNEON)
	set.frugal = true
	if vectorBuild && hasPairs() {
		set.blocks = blockProductDot
	}
	return []*Set{set}
}
