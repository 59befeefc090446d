package kernel

import (
	"fmt"
	"unsafe"
)

// Matrices of bfloat16, the upper half of a float32, are multiplied in blocks. A
// block of A is 32 rows of 32 values, row by row. A block of B holds 32 terms by 32
// columns, first the left 16 columns, then the right ones: a word is the same column
// of two terms that follow each other, the first in its lower half. A block of sums
// is 32 rows of 32 columns of float32.
const (
	// BlockSide is the number of rows, terms and columns of a block.
	BlockSide = 32
	// BlockWords is the size of a block of A or B in words of two bfloat16.
	BlockWords = BlockSide * BlockSide / 2
	// BlockSums is the size of a block of sums.
	BlockSums = BlockSide * BlockSide
)

// Segment is a stretch of a sum of products of blocks: where its first block of A
// and its first block of B lie, both at a multiple of 64 bytes.
type Segment struct{ A, B *uint32 }

// blockFunc computes what [Set.BlockProduct] does.
type blockFunc func(c []float32, segments []Segment, steps, terms, aStep, bStep, rows int, accumulate bool)

// Strides say where in words the blocks of a split matrix follow: those of the next
// step, and those of what is left when values are rounded, see [Split].
type Strides struct{ Step, Rest int }

// splitFunc computes what [Set.SplitProduct] does.
type splitFunc func(c []float32, segments []Segment, steps int, a, b Strides, chunks int)

// HasBFloat16 reports whether the set multiplies blocks of bfloat16 in hardware.
func (s *Set) HasBFloat16() bool { return s.blocks != nil }

// HasSplits reports whether the hardware multiplies blocks so fast that three
// products of split values cost less than one of float32.
func (s *Set) HasSplits() bool { return s.splits != nil }

// BlockPart is what the numbers of rows and of terms of a [Set.BlockProduct] are multiples
// of: BlockSide where the hardware multiplies whole blocks, half of it where it multiplies
// pairs.
func (s *Set) BlockPart() int {
	if s.wholeBlocks {
		return BlockSide
	}
	return BlockSide / 2
}

// BlockProduct sets, or with accumulate adds to, rows of sums in c, which follow each
// other as those of A do. Each segment adds steps products of a block of A with one of B,
// of their first terms alone; from step to step A moves on by aStep words and B by bStep
// words. Rows and terms, at most BlockSide of them, are multiples of BlockPart. Sums are
// float32, each in the order of segments and steps. Where HasBFloat16 is false it is the
// reference, and slow.
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

// SplitProduct is [Set.BlockProduct] for matrices that are split in two. It leaves
// out the product of the two rests, which is smaller than the rounding error of two
// bfloat16.
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

// bfloat16 is the value of the upper half of a word.
func bfloat16(w uint32) float32 {
	w &^= 0xffff
	return *(*float32)(unsafe.Pointer(&w))
}

// Aligned returns zeros that start at a cache line: a block that does not takes
// twice as long to load.
func Aligned[T uint32 | float32](n int) []T {
	const line = 64 / 4
	held := make([]T, n+line)
	skip := 0
	if over := uintptr(unsafe.Pointer(&held[0])) % 64; over != 0 {
		skip = int(64-over) / 4
	}
	return held[skip:][:n:n]
}
