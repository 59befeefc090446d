package kernel

import (
	"fmt"
	"unsafe"
)

// Matrices of bfloat16, the upper half of a float32, are multiplied in blocks. A block of A is 32
// rows of 32 values, row by row. A block of B holds 32 terms by 32 columns, first the left 16
// columns, then the right ones. Each word holds the values of one column for two consecutive terms,
// the first in its lower half. A block of sums is 32 rows of 32 columns of float32.
const (
	// BlockSide is the number of rows, terms and columns of a block.
	BlockSide = 32
	// BlockWords is the size of a block of A or B in words of two bfloat16.
	BlockWords = BlockSide * BlockSide / 2
	// BlockSums is the size of a block of sums.
	BlockSums = BlockSide * BlockSide
)

// Segment is a part of a sum of block products: the addresses of its first block of A and of B,
// both multiples of 64 bytes.
type Segment struct{ A, B *uint32 }

// blockFunc implements [Set.BlockProduct].
type blockFunc func(c []float32, segments []Segment, steps, terms, aStep, bStep, rows int, accumulate bool)

// Strides are distances in words between the blocks of a split matrix: to the next step, and to the
// remainders of its rounded values, see [Split].
type Strides struct{ Step, Rest int }

// splitFunc implements [Set.SplitProduct].
type splitFunc func(c []float32, segments []Segment, steps int, a, b Strides, chunks int)

// HasBFloat16 reports whether the set multiplies blocks of bfloat16 in hardware.
func (s *Set) HasBFloat16() bool { return s.blocks != nil }

// HasSplits reports whether three block products of split values cost less than one product of
// float32.
func (s *Set) HasSplits() bool { return s.splits != nil }

// BlockPart divides the numbers of rows and terms of a [Set.BlockProduct]: BlockSide if the
// hardware multiplies whole blocks, half of it if it multiplies pairs.
func (s *Set) BlockPart() int {
	if s.wholeBlocks {
		return BlockSide
	}
	return BlockSide / 2
}

// BlockProduct sets consecutive rows of sums in c or, with accumulate, adds to them. Each segment
// adds steps products of a block of A with the first terms of a block of B. After each step, A
// advances by aStep words and B by bStep words. rows and terms, at most BlockSide each, are
// multiples of BlockPart. Sums are float32, in the order of segments and steps. If HasBFloat16 is
// false, it is the slow reference.
func (s *Set) BlockProduct(c []float32, segments []Segment, steps, terms, aStep, bStep, rows int, accumulate bool) {
	_ = c[rows*BlockSide-1]
	if part := s.BlockPart(); rows%part != 0 || terms%part != 0 || terms <= 0 || terms > BlockSide {
		panic(fmt.Sprintf("kernel: product of blocks of %d rows and %d terms: not multiples of %d", rows, terms, part))
	}
	if s.blocks == nil {
		blockProductGeneric(c, segments, steps, terms, aStep, bStep, rows, accumulate)
		return
	}
	s.blocks(c, segments, steps, terms, aStep, bStep, rows, accumulate)
}

// SplitProduct is [Set.BlockProduct] for split matrices. It omits the product of the two
// remainders, which is smaller than the rounding error of two bfloat16.
func (s *Set) SplitProduct(c []float32, segments []Segment, steps int, a, b Strides, chunks int) {
	_ = c[chunks*BlockSums-1]
	if s.splits != nil {
		s.splits(c, segments, steps, a, b, chunks)
		return
	}
	for i, parts := range [3][2]int{{a.Rest, 0}, {0, 0}, {0, b.Rest}} {
		moved := make([]Segment, len(segments))
		for j, seg := range segments {
			moved[j] = Segment{
				A: (*uint32)(unsafe.Add(unsafe.Pointer(seg.A), 4*parts[0])),
				B: (*uint32)(unsafe.Add(unsafe.Pointer(seg.B), 4*parts[1])),
			}
		}
		s.BlockProduct(c, moved, steps, BlockSide, a.Step, b.Step, chunks*BlockSide, i > 0)
	}
}

func blockProductGeneric(c []float32, segments []Segment, steps, terms, aStep, bStep, rows int, accumulate bool) {
	const words = BlockSide / 2
	if !accumulate {
		clear(c[:rows*BlockSide])
	}
	for _, s := range segments {
		for step := range steps {
			a := unsafe.Slice((*uint32)(unsafe.Add(unsafe.Pointer(s.A), step*aStep*4)), rows*words)
			b := unsafe.Slice((*uint32)(unsafe.Add(unsafe.Pointer(s.B), step*bStep*4)), BlockWords)
			for row := range rows {
				for half := range 2 {
					sum := c[row*BlockSide+half*words:][:words]
					for term, w := range a[row*words:][:terms/2] {
						even, odd := bfloat16(w<<16), bfloat16(w)
						for col, v := range b[(half*words+term)*words:][:words] {
							sum[col] += even*bfloat16(v<<16) + odd*bfloat16(v)
						}
					}
				}
			}
		}
	}
}

// bfloat16 returns the value in the upper half of a word.
func bfloat16(w uint32) float32 {
	w &^= 0xffff
	return *(*float32)(unsafe.Pointer(&w))
}

// Aligned returns zeros whose first element starts a cache line. Loading an unaligned block takes
// twice as long.
func Aligned[T uint32 | float32](n int) []T {
	const line = 64 / 4
	held := make([]T, n+line)
	skip := 0
	if over := uintptr(unsafe.Pointer(&held[0])) % 64; over != 0 {
		skip = int(64-over) / 4
	}
	return held[skip:][:n:n]
}
