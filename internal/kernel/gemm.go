package kernel

import (
	"fmt"
	"math"
	"slices"
	"sync"
	"unsafe"
)

// PackedLen is the length of a packed k×n matrix; n is a multiple of [Lanes].
func PackedLen(k, n int) int {
	if n%Lanes != 0 {
		panic(fmt.Sprintf("kernel: %d columns to pack: not a multiple of %d", n, Lanes))
	}
	return k * n
}

// NewPacked returns memory for n values of packed matrices. Every pass through a network
// reads it from the beginning to the end, so it lies in large pages where there are any.
func NewPacked(n int) []float32 {
	values := make([]float32, n)
	inLargePages(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(values))), 4*n))
	return values
}

// Pack lays out the k×n matrix B for [Set.Gemm] in dst, which has
// PackedLen(k, n) elements: panels of columns one after the other, a panel's
// rows contiguous. at returns the element of a row and a column.
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

// Panels is the number of panels of a packed matrix of n columns. The panel of
// column col starts at element col·k.
func (s *Set) Panels(n int) int { return n/s.panel + n%s.panel/Lanes }

// Panel is where the i-th panel of a packed matrix of n columns begins, and how
// wide it is.
func (s *Set) Panel(n, i int) (col, width int) {
	if full := n / s.panel; i >= full {
		return full*s.panel + (i-full)*Lanes, Lanes
	}
	return i * s.panel, s.panel
}

// Gemm computes C = A·B, or C += A·B when accumulate is set: A is m×k with rows
// lda apart, B a packed k×n matrix, C m×n with rows ldc apart. Rows of A may
// overlap, which is how a convolution reads its input without copying it.
//
// Each element is one sum in the order of k, so results do not depend on how
// rows and panels are shared among threads.
func (s *Set) Gemm(m, k, n int, a []float32, lda int, b []float32, c []float32, ldc int, accumulate bool) {
	for p := range s.Panels(n) {
		col, width := s.Panel(n, p)
		s.GemmPanel(width, m, k, a, lda, b[col*k:], c[col:], ldc, accumulate)
	}
}

// GemmPanel is [Set.Gemm] for a single panel of B: b starts at the panel, c at
// the panel's column.
func (s *Set) GemmPanel(width, m, k int, a []float32, lda int, b []float32, c []float32, ldc int, accumulate bool) {
	if m <= 0 {
		return
	}
	if k <= 0 {
		panic("kernel: matrix product over no terms")
	}
	_ = a[(m-1)*lda+k-1]
	_ = b[k*width-1]
	_ = c[(m-1)*ldc+width-1]
	var from *float32
	if accumulate {
		from = &c[0]
	}
	s.gemm(width, m, k, lda, ldc, &a[0], &b[0], &c[0], from, nil, 0, 0)
}

// Ending is how a layer ends while the sums of a product are still in registers: C =
// min(leaky(A·B + bias + from), most), with leaky(v) = max(v, slope·v).
type Ending struct {
	From  []float32 // with the layout of C, which it may be; nil for none
	Bias  []float32 // of the columns of C; nil to leave out it and what follows
	Slope float32   // of the activation below zero: 1 for none
	Most  float32   // [Unbounded] for no bound
}

// Unbounded is more than any value.
var Unbounded = float32(math.Inf(1))

// GemmPanelEnd is [Set.Gemm] with the end of a layer, for the panel-th panel of B.
func (s *Set) GemmPanelEnd(panel, m, k, n int, a []float32, lda int, b []float32, c []float32, ldc int, end *Ending) {
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

// GemmT computes C = Aᵀ·B, or C += Aᵀ·B when accumulate is set: A is k×m with
// rows lda apart, B k×n with rows ldb apart, neither packed, and C m×n with rows
// ldc apart; m and n are multiples of [Lanes]. It is how a layer's weights get
// their gradient: m and n are channels, k counts pixels.
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

// farColumns is from how many columns on the rows of a matrix lie so far apart that a
// cache holds but a few of one panel: of 640 columns they fall in every eighth of its sets.
// Kernels of wide panels use what they read often enough all the same. Measured with AVX2;
// for NEON, whose panels are as narrow, it is a guess.
const farColumns = 256

// gemmTInStrips is GemmT by way of copies whose rows lie close together.
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

// strips holds scratch of [Set.GemmT].
var strips = sync.Pool{New: func() any { return new([]float32) }}

// strip copies Lanes columns of k rows that lie stride apart.
func strip(dst, src []float32, stride, k int) {
	for row := range k {
		copy(dst[row*Lanes:][:Lanes], src[row*stride:])
	}
}
