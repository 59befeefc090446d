package kernel

import "unsafe"

// int16Kernel computes some rows of C, as many as its place in its table says.
type int16Kernel func(k, lda, ldc int, a *float32, b *int16, c, scales *float32, next uintptr, step int)

var (
	int16s512x32 = []int16Kernel{
		nil, gemmi_avx512_1x32, gemmi_avx512_2x32, gemmi_avx512_3x32, gemmi_avx512_4x32, gemmi_avx512_5x32, gemmi_avx512_6x32,
	}
	int16s2x16 = []int16Kernel{
		nil, gemmi_avx2_1x16, gemmi_avx2_2x16, gemmi_avx2_3x16, gemmi_avx2_4x16, gemmi_avx2_5x16, gemmi_avx2_6x16,
	}
)

func int16AVX512(width, m, k, lda, ldc int, a *float32, b *int16, c, scales *float32) {
	if width == Lanes {
		int16AVX2(width, m, k, lda, ldc, a, b, c, scales)
	} else {
		int16Rows(int16s512x32, width, m, k, lda, ldc, a, b, c, scales)
	}
}

func int16AVX2(width, m, k, lda, ldc int, a *float32, b *int16, c, scales *float32) {
	int16Rows(int16s2x16, width, m, k, lda, ldc, a, b, c, scales)
}

// int16Rows shares the rows as gemmRows does.
func int16Rows(kernels []int16Kernel, width, m, k, lda, ldc int, a *float32, b *int16, c, scales *float32) {
	tallest := len(kernels) - 1
	calls := (m + tallest - 1) / tallest
	follows := panelAfter(unsafe.Pointer(b), k, 2*width, calls)
	for left := calls; left > 0; left-- {
		rows := (m + left - 1) / left
		kernels[rows](k, lda, ldc, a, b, c, scales, follows.next, follows.step)
		follows.advance(k)
		m -= rows
		if m > 0 {
			a = (*float32)(unsafe.Add(unsafe.Pointer(a), rows*lda*4))
			c = (*float32)(unsafe.Add(unsafe.Pointer(c), rows*ldc*4))
		}
	}
}
