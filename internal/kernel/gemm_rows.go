//go:build amd64 || arm64

package kernel

import "unsafe"

//go:generate go run ./gemmasm -out gemm_amd64.s -stubs gemm_stubs_amd64.go -pkg kernel
//go:generate go run ./neonasm -out gemm_arm64.s

// rowsKernel computes a fixed number of rows of C, its index in its table. At each step of k it
// prefetches from next, and advances next by step bytes.
type rowsKernel func(k, lda, ldc int, a, b, c, from, bias *float32, next uintptr, step int, slope, most float32)

// gemmRows divides the rows evenly among as few kernel calls as possible: calls with few rows would
// not keep the multipliers busy.
func gemmRows(kernels []rowsKernel, width, m, k, lda, ldc int, a, b, c, from, bias *float32, slope, most float32) {
	tallest := len(kernels) - 1
	calls := (m + tallest - 1) / tallest
	follows := panelAfter(unsafe.Pointer(b), k, 4*width, calls)
	for left := calls; left > 0; left-- {
		rows := (m + left - 1) / left
		kernels[rows](k, lda, ldc, a, b, c, from, bias, follows.next, follows.step, slope, most)
		follows.advance(k)
		m -= rows
		if m > 0 {
			a = (*float32)(unsafe.Add(unsafe.Pointer(a), rows*lda*4))
			c = (*float32)(unsafe.Add(unsafe.Pointer(c), rows*ldc*4))
			if from != nil {
				from = (*float32)(unsafe.Add(unsafe.Pointer(from), rows*ldc*4))
			}
		}
	}
}

type outerKernel func(k, lda, ldb, ldc int, a, b, c *float32, accumulate bool)

// gemmTRows computes C in steps of rows, which divides m.
func gemmTRows(kernel outerKernel, rows, m, k, lda, ldb, ldc int, a, b, c *float32, accumulate bool) {
	for i := 0; i < m; i += rows {
		kernel(k, lda, ldb, ldc,
			(*float32)(unsafe.Add(unsafe.Pointer(a), i*4)), b,
			(*float32)(unsafe.Add(unsafe.Pointer(c), i*ldc*4)), accumulate)
	}
}

// ahead is the prefetch state of a product: the panel of B after the current one. Without
// prefetching, the first kernel call of each panel would wait for memory while later calls leave it
// idle.
type ahead struct {
	next, end uintptr // not pointers: they may point past the matrix
	step      int
}

// panelAfter returns the prefetch state for a panel of k rows, divided among the kernel calls of
// the panel before it.
func panelAfter(panel unsafe.Pointer, k, bytes, calls int) ahead {
	next := uintptr(panel) + uintptr(k*bytes)
	return ahead{next: next, end: next + uintptr(k*bytes), step: (bytes + calls - 1) / calls}
}

// advance moves past the memory that one call prefetched, and stops at the end of the panel.
func (a *ahead) advance(k int) {
	if a.next += uintptr(k * a.step); a.next >= a.end {
		a.next, a.step = a.end, 0
	}
}
