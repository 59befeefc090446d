package kernel

import "unsafe"

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
type blockFunc func(c []float32, segments []Segment, steps, aStep, bStep, chunks int, accumulate bool)

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

// BlockProduct sets, or with accumulate adds to, chunks blocks of sums in c. Each
// segment adds steps products of a block of A with one of B; from step to
// step A moves on by aStep words and B by bStep words, from one block of sums to
// the next A moves on by one block. Sums are float32, each in the order of segments
// and steps. Where HasBFloat16 is false it is the reference, and slow.
func (s *Set) BlockProduct(c []float32, segments []Segment, steps, aStep, bStep, chunks int, accumulate bool) {
	_ = c[chunks*BlockSums-1]
	if s.blocks == nil {
		blockProductGeneric(c, segments, steps, aStep, bStep, chunks, accumulate)
		return
	}
	s.blocks(c, segments, steps, aStep, bStep, chunks, accumulate)
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
		s.BlockProduct(c, moved, steps, a.Step, b.Step, chunks, i > 0)
	}
}

func blockProductGeneric(c []float32, segments []Segment, steps, aStep, bStep, chunks int, accumulate bool) {
	const words = BlockSide / 2
	for i := range chunks {
		block := c[i*BlockSums:][:BlockSums]
		if !accumulate {
			clear(block)
		}
		for _, s := range segments {
			for step := range steps {
				a := unsafe.Slice((*uint32)(unsafe.Add(unsafe.Pointer(s.A), (step*aStep+i*BlockWords)*4)), BlockWords)
				b := unsafe.Slice((*uint32)(unsafe.Add(unsafe.Pointer(s.B), step*bStep*4)), BlockWords)
				for row := range BlockSide {
					for half := range 2 {
						sum := block[row*BlockSide+half*words:][:words]
						for term, w := range a[row*words:][:words] {
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
