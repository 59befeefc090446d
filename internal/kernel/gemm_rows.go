//go:build amd64 || arm64

package kernel

import "unsafe"

//go:generate go run ./gemmasm -out gemm_amd64.s -stubs gemm_stubs_amd64.go -pkg kernel
//go:generate go run ./neonasm -out gemm_arm64.s

// rowsKernel computes some rows of C, as many as its place in its table says. With each
// step of k it asks for what lies at next, and goes step bytes further.
type rowsKernel func(k, lda, ldc int, a, b, c, from, bias *float32, next uintptr, step int, slope, most float32)

// gemmRows shares the rows evenly among the fewest calls of a kernel, so that none
// is left with so few that they would starve the multipliers.
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

// outerKernel computes some rows of Aᵀ·B.
type outerKernel func(k, lda, ldb, ldc int, a, b, c *float32, accumulate bool)

// gemmTRows goes through C by the kernel's rows, whose number divides m.
func gemmTRows(kernel outerKernel, rows, m, k, lda, ldb, ldc int, a, b, c *float32, accumulate bool) {
	for i := 0; i < m; i += rows {
		kernel(k, lda, ldb, ldc,
			(*float32)(unsafe.Add(unsafe.Pointer(a), i*4)), b,
			(*float32)(unsafe.Add(unsafe.Pointer(c), i*ldc*4)), accumulate)
	}
}

// ahead is what the kernels of a product ask for before it is used: the panel of B that
// follows the one they multiply. Only the first call for a panel waits for memory; the
// others find it in a cache, and memory would rest meanwhile.
type ahead struct {
	next, end uintptr // no pointers: the last panel is followed by anything
	step      int     // bytes for each step of k
}

// panelAfter is what follows a panel of k rows of some bytes, shared evenly among the
// calls of a kernel that multiply it.
func panelAfter(panel unsafe.Pointer, k, bytes, calls int) ahead {
	next := uintptr(panel) + uintptr(k*bytes)
	return ahead{next: next, end: next + uintptr(k*bytes), step: (bytes + calls - 1) / calls}
}

// advance notes that a call went through all steps of k. Beyond the panel nothing is asked for.
func (a *ahead) advance(k int) {
	if a.next += uintptr(k * a.step); a.next >= a.end {
		a.next, a.step = a.end, 0
	}
}
