package kernel

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

//go:generate go run ./gemmasm -out gemm_amd64.s -stubs gemm_stubs_amd64.go -pkg kernel

// tileKernel computes one tile of C, of as many rows as its place in its table.
type tileKernel func(k, lda, ldc int, a, b, c *float32, accumulate bool)

var (
	tiles512x32 = []tileKernel{
		nil, gemm_avx512_1x32, gemm_avx512_2x32, gemm_avx512_3x32, gemm_avx512_4x32,
		gemm_avx512_5x32, gemm_avx512_6x32, gemm_avx512_7x32, gemm_avx512_8x32, gemm_avx512_9x32,
		gemm_avx512_10x32, gemm_avx512_11x32, gemm_avx512_12x32, gemm_avx512_13x32, gemm_avx512_14x32,
	}
	tiles512x16 = []tileKernel{
		nil, gemm_avx512_1x16, gemm_avx512_2x16, gemm_avx512_3x16, gemm_avx512_4x16,
		gemm_avx512_5x16, gemm_avx512_6x16, gemm_avx512_7x16, gemm_avx512_8x16, gemm_avx512_9x16,
		gemm_avx512_10x16, gemm_avx512_11x16, gemm_avx512_12x16, gemm_avx512_13x16, gemm_avx512_14x16,
	}
	tiles2x16 = []tileKernel{
		nil, gemm_avx2_1x16, gemm_avx2_2x16, gemm_avx2_3x16, gemm_avx2_4x16, gemm_avx2_5x16, gemm_avx2_6x16,
	}
)

// gemmTiles shares the rows evenly among the fewest tiles, so that none is left
// with a sliver that would starve the multipliers.
func gemmTiles(tiles []tileKernel, m, k, lda, ldc int, a, b, c *float32, accumulate bool) {
	most := len(tiles) - 1
	for left := (m + most - 1) / most; left > 0; left-- {
		rows := (m + left - 1) / left
		tiles[rows](k, lda, ldc, a, b, c, accumulate)
		m -= rows
		if m > 0 {
			a = (*float32)(unsafe.Add(unsafe.Pointer(a), rows*lda*4))
			c = (*float32)(unsafe.Add(unsafe.Pointer(c), rows*ldc*4))
		}
	}
}

func gemmAVX512(width, m, k, lda, ldc int, a, b, c *float32, accumulate bool) {
	if width == 32 {
		gemmTiles(tiles512x32, m, k, lda, ldc, a, b, c, accumulate)
	} else {
		gemmTiles(tiles512x16, m, k, lda, ldc, a, b, c, accumulate)
	}
}

func gemmAVX2(_, m, k, lda, ldc int, a, b, c *float32, accumulate bool) {
	gemmTiles(tiles2x16, m, k, lda, ldc, a, b, c, accumulate)
}

// outerKernel computes one tile of Aᵀ·B.
type outerKernel func(k, lda, ldb, ldc int, a, b, c *float32, accumulate bool)

// gemmTTiles goes through C in tiles of the kernel's rows, which divide m.
func gemmTTiles(tile outerKernel, rows, m, k, lda, ldb, ldc int, a, b, c *float32, accumulate bool) {
	for i := 0; i < m; i += rows {
		tile(k, lda, ldb, ldc,
			(*float32)(unsafe.Add(unsafe.Pointer(a), i*4)), b,
			(*float32)(unsafe.Add(unsafe.Pointer(c), i*ldc*4)), accumulate)
	}
}

func gemmTAVX512(width, m, k, lda, ldb, ldc int, a, b, c *float32, accumulate bool) {
	if width == 32 {
		gemmTTiles(gemmt_avx512_8x32, 8, m, k, lda, ldb, ldc, a, b, c, accumulate)
	} else {
		gemmTTiles(gemmt_avx512_8x16, 8, m, k, lda, ldb, ldc, a, b, c, accumulate)
	}
}

func gemmTAVX2(_, m, k, lda, ldb, ldc int, a, b, c *float32, accumulate bool) {
	gemmTTiles(gemmt_avx2_4x16, 4, m, k, lda, ldb, ldc, a, b, c, accumulate)
}

// detect lists what the processor runs, the fastest first.
func detect() []*Set {
	var sets []*Set
	if cpu.X86.HasAVX512F && cpu.X86.HasAVX512VL && cpu.X86.HasAVX2 && cpu.X86.HasFMA {
		if vectorBuild && hasTiles() {
			amx := vectorSet("amx", 32, gemmAVX512, gemmTAVX512)
			amx.tiles, amx.splits = tileProductAMX, splitProductAMX
			sets = append(sets, amx)
		}
		sets = append(sets, vectorSet("avx512", 32, gemmAVX512, gemmTAVX512))
	}
	if cpu.X86.HasAVX2 && cpu.X86.HasFMA {
		sets = append(sets, vectorSet("avx2", 16, gemmAVX2, gemmTAVX2))
	}
	return sets
}
