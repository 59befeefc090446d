package kernel

import "golang.org/x/sys/cpu"

var (
	rows512x32 = []rowsKernel{
		nil, gemm_avx512_1x32, gemm_avx512_2x32, gemm_avx512_3x32, gemm_avx512_4x32,
		gemm_avx512_5x32, gemm_avx512_6x32, gemm_avx512_7x32, gemm_avx512_8x32, gemm_avx512_9x32,
		gemm_avx512_10x32, gemm_avx512_11x32, gemm_avx512_12x32, gemm_avx512_13x32, gemm_avx512_14x32,
	}
	rows512x16 = []rowsKernel{
		nil, gemm_avx512_1x16, gemm_avx512_2x16, gemm_avx512_3x16, gemm_avx512_4x16,
		gemm_avx512_5x16, gemm_avx512_6x16, gemm_avx512_7x16, gemm_avx512_8x16, gemm_avx512_9x16,
		gemm_avx512_10x16, gemm_avx512_11x16, gemm_avx512_12x16, gemm_avx512_13x16, gemm_avx512_14x16,
	}
	rows2x16 = []rowsKernel{
		nil, gemm_avx2_1x16, gemm_avx2_2x16, gemm_avx2_3x16, gemm_avx2_4x16, gemm_avx2_5x16, gemm_avx2_6x16,
	}
)

func gemmAVX512(width, m, k, lda, ldc int, a, b, c, from, bias *float32, slope, most float32) {
	if width == 32 {
		gemmRows(rows512x32, width, m, k, lda, ldc, a, b, c, from, bias, slope, most)
	} else {
		gemmRows(rows512x16, width, m, k, lda, ldc, a, b, c, from, bias, slope, most)
	}
}

func gemmAVX2(width, m, k, lda, ldc int, a, b, c, from, bias *float32, slope, most float32) {
	gemmRows(rows2x16, width, m, k, lda, ldc, a, b, c, from, bias, slope, most)
}

func gemmTAVX512(width, m, k, lda, ldb, ldc int, a, b, c *float32, accumulate bool) {
	if width == 32 {
		gemmTRows(gemmt_avx512_8x32, 8, m, k, lda, ldb, ldc, a, b, c, accumulate)
	} else {
		gemmTRows(gemmt_avx512_8x16, 8, m, k, lda, ldb, ldc, a, b, c, accumulate)
	}
}

func gemmTAVX2(_, m, k, lda, ldb, ldc int, a, b, c *float32, accumulate bool) {
	gemmTRows(gemmt_avx2_4x16, 4, m, k, lda, ldb, ldc, a, b, c, accumulate)
}

// detect lists the sets that the processor supports, the fastest first.
func detect() []*Set {
	var sets []*Set
	if cpu.X86.HasAVX512F && cpu.X86.HasAVX512VL && cpu.X86.HasAVX2 && cpu.X86.HasFMA {
		if vectorBuild && hasAMX() {
			amx := vectorSet("amx", 32, gemmAVX512, gemmTAVX512)
			amx.blocks, amx.splits, amx.wholeBlocks = blockProductAMX, splitProductAMX, true
			sets = append(sets, amx)
		}
		avx512 := vectorSet("avx512", 32, gemmAVX512, gemmTAVX512)
		if vectorBuild && cpu.X86.HasAVX512BF16 {
			avx512.blocks = blockProductDot
		}
		sets = append(sets, avx512)
	}
	if cpu.X86.HasAVX2 && cpu.X86.HasFMA {
		sets = append(sets, vectorSet("avx2", 16, gemmAVX2, gemmTAVX2))
	}
	return sets
}
