package kernel

import (
	"fmt"
	"math"
	"slices"
	"sync"
	"unsafe"
)

// PackedLen returns the length of a packed k×n matrix; n is a multiple of [Lanes].
func PackedLen(k, n int) int {
	if n%Lanes != 0 {
		panic(fmt.Sprintf("kernel: %d columns to pack: not a multiple of %d", n, Lanes))
	}
	return k * n
}

// NewPacked returns memory for n values of packed matrices, in huge pages if available: every
// forward pass reads all of it.
func NewPacked(n int) []float32 {
	values := make([]float32, n)
	inLargePages(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(values))), 4*n))
	return values
}

// Pack writes the k×n matrix B in the layout of [Set.Gemm] to dst, which has PackedLen(k, n)
// elements: consecutive panels of columns, each row by row. The function at returns an element.
func (s *Set) Pack(dst []float32, k, n int, at func(row, col int) float32) {
	if len(dst) != PackedLen(k, n) {
		panic(fmt.Sprintf("kernel: packed matrix of %d elements, want %d×%d", len(dst), k, n))
	}
	i := 0
	for p := range s.Panels(n) {
		col, width := s.Panel(n, p)
		for row := range k {
			for j := range width {
				dst[i] = at(row, col+j)
				i++
			}
		}
	}
}

// PackColumns packs the transpose of rows [n, k], stride apart, in the memory of dst if it suffices:
// each row becomes a column of a k×[Pad](n) matrix, padded with columns of zeros.
func (s *Set) PackColumns(dst, src []float32, stride, n, k int) []float32 {
	columns := Pad(n)
	dst = slices.Grow(dst[:0], PackedLen(k, columns))[:PackedLen(k, columns)]
	for p := range s.Panels(columns) {
		col, width := s.Panel(columns, p)
		panel, columns, j := dst[col*k:][:k*width], min(width, n-col), 0
		if columns < width {
			clear(panel)
		}
		for ; j+4 <= columns; j += 4 { // four rows at a time, since each fills only a part of a cache line
			from := src[(col+j)*stride:]
			a, b, c, d := from[:k], from[stride:][:k], from[2*stride:][:k], from[3*stride:][:k]
			for i, v := range a {
				four := panel[i*width+j:][:4]
				four[0], four[1], four[2], four[3] = v, b[i], c[i], d[i]
			}
		}
		for ; j < columns; j++ {
			for i, v := range src[(col+j)*stride:][:k] {
				panel[i*width+j] = v
			}
		}
	}
	return dst
}

// Panels returns the number of panels of a packed matrix of n columns. The panel of
// column col starts at element col·k.
func (s *Set) Panels(n int) int { return n/s.panel + n%s.panel/Lanes }

// Panel returns the first column and the width of the i-th panel of a packed matrix with n columns.
func (s *Set) Panel(n, i int) (col, width int) {
	if full := n / s.panel; i >= full {
		return full*s.panel + (i-full)*Lanes, Lanes
	}
	return i * s.panel, s.panel
}

// Gemm computes C = A·B, or C += A·B if accumulate is set. A is m×k with rows lda apart, B is a
// packed k×n matrix, and C is m×n with rows ldc apart. Rows of A may overlap; convolutions use this
// to read their input in place.
//
// Each element is summed in the order of k, so results do not depend on the number of threads.
func (s *Set) Gemm(m, k, n int, a []float32, lda int, b []float32, c []float32, ldc int, accumulate bool) {
	var end Ending
	if accumulate {
		end.From = c
	}
	for p := range s.Panels(n) {
		s.GemmPanel(p, m, k, n, a, lda, b, c, ldc, &end)
	}
}

// Ending describes the end of a layer, computed while the sums of a product are in registers: C =
// min(leaky(A·B + bias + from), most), with leaky(v) = max(v, slope·v).
type Ending struct {
	From  []float32 // same layout as C, and may be C; may be nil
	Bias  []float32 // for each column of C; nil omits the bias and everything after it
	Slope float32   // of leaky; 1 for no activation
	Most  float32   // [Unbounded] for no bound
}

// Unbounded is more than any value.
var Unbounded = float32(math.Inf(1))

// GemmPanel is [Set.Gemm] with the end of a layer, for panel number panel of B.
func (s *Set) GemmPanel(panel, m, k, n int, a []float32, lda int, b []float32, c []float32, ldc int, end *Ending) {
	if m <= 0 {
		return
	}
	if k <= 0 {
		panic("kernel: matrix product over no terms")
	}
	col, width := s.Panel(n, panel)
	last := (m-1)*ldc + col + width - 1
	_, _, _ = a[(m-1)*lda+k-1], b[(col+width)*k-1], c[last]
	var from, bias *float32
	if end.From != nil {
		_ = end.From[last]
		from = &end.From[col]
	}
	if end.Bias != nil {
		_ = end.Bias[col+width-1]
		bias = &end.Bias[col]
	}
	s.gemm(width, m, k, lda, ldc, &a[0], &b[col*k], &c[col], from, bias, end.Slope, end.Most)
}

// GemmT computes C = Aᵀ·B, or C += Aᵀ·B if accumulate is set. A is k×m with rows lda apart, B is
// k×n with rows ldb apart, neither packed, and C is m×n with rows ldc apart. m and n are multiples
// of [Lanes]. It computes weight gradients: m and n are channels, k counts pixels.
func (s *Set) GemmT(m, k, n int, a []float32, lda int, b []float32, ldb int, c []float32, ldc int, accumulate bool) {
	if m%Lanes != 0 || n%Lanes != 0 || m <= 0 || k <= 0 {
		panic(fmt.Sprintf("kernel: transposed matrix product of %d×%d by %d×%d: not whole vectors", m, k, k, n))
	}
	_, _, _ = a[(k-1)*lda+m-1], b[(k-1)*ldb+n-1], c[(m-1)*ldc+n-1]
	if s.panel == Lanes && n >= farColumns {
		s.gemmTInStrips(m, k, n, a, lda, b, ldb, c, ldc, accumulate)
		return
	}
	for p := range s.Panels(n) {
		col, width := s.Panel(n, p)
		s.gemmT(width, m, k, lda, ldb, ldc, &a[0], &b[col], &c[col], accumulate)
	}
}

// farColumns is the number of columns from which matrix rows are so far apart that the cache holds
// only a few rows of a panel: rows of 640 columns share an eighth of its sets. Wide panels reuse
// their rows often enough. The value was measured with AVX2, not with NEON.
const farColumns = 256

// gemmTInStrips is GemmT on copies whose rows are close together.
func (s *Set) gemmTInStrips(m, k, n int, a []float32, lda int, b []float32, ldb int, c []float32, ldc int, accumulate bool) {
	scratch := strips.Get().(*[]float32)
	defer strips.Put(scratch)
	*scratch = slices.Grow((*scratch)[:0], k*(m+Lanes))[:k*(m+Lanes)]
	as, bs := (*scratch)[:k*m], (*scratch)[k*m:][:k*Lanes]
	for i := 0; i < m; i += Lanes {
		strip(as[i*k:], a[i:], lda, k)
	}
	for col := 0; col < n; col += Lanes {
		strip(bs, b[col:], ldb, k)
		for i := 0; i < m; i += Lanes {
			s.gemmT(Lanes, Lanes, k, Lanes, Lanes, ldc, &as[i*k], &bs[0], &c[i*ldc+col], accumulate)
		}
	}
}

// strips holds the scratch memory of [Set.GemmT].
var strips = sync.Pool{New: func() any { return new([]float32) }}

// strip copies Lanes columns of k rows, which are stride apart.
func strip(dst, src []float32, stride, k int) {
	for row := range k {
		copy(dst[row*Lanes:][:Lanes], src[row*stride:])
	}
}
