package kernel

import "unsafe"

// A pair of tiles of A is 32 rows of 32 bfloat16 (the upper half of a float32),
// row by row. A pair of tiles of B holds 32 terms by 32 columns: two tiles of 16
// columns each, in which a word is the same column of two terms that follow each
// other, the first in its lower half. A block of sums is 32 rows of 32 columns.
const (
	// TileRows is the number of rows, terms and columns of a pair of tiles.
	TileRows = 32
	// TileWords is the size of a pair of tiles in words of two bfloat16.
	TileWords = TileRows * TileRows / 2
	// TileSums is the size of a block of sums.
	TileSums = TileRows * TileRows
)

// Segment is a stretch of a sum of products of tiles: where its first pair of A
// and its first pair of B lie, both at a multiple of 64 bytes.
type Segment struct{ A, B *uint32 }

// tileFunc computes what [Set.TileProduct] does.
type tileFunc func(c []float32, segments []Segment, steps, aStep, bStep, chunks int, accumulate bool)

// Strides say where in words the tiles of a split matrix follow: those of the next
// step, and those of what is left when values are rounded, see [Split].
type Strides struct{ Step, Rest int }

// splitFunc computes what [Set.SplitProduct] does.
type splitFunc func(c []float32, segments []Segment, steps int, a, b Strides, chunks int)

// HasTiles reports whether the set multiplies tiles of bfloat16 in hardware.
func (s *Set) HasTiles() bool { return s.tiles != nil }

// TileProduct sets, or with accumulate adds to, chunks blocks of sums in c. Each
// segment adds steps products of a pair of tiles of A with one of B; from step to
// step A moves on by aStep words and B by bStep words, from one block of sums to
// the next A moves on by one pair of tiles. Sums are float32, each in the order of
// segments and steps. Without tiles in hardware it is the reference, and slow.
func (s *Set) TileProduct(c []float32, segments []Segment, steps, aStep, bStep, chunks int, accumulate bool) {
	_ = c[chunks*TileSums-1]
	if s.tiles == nil {
		tileProductGeneric(c, segments, steps, aStep, bStep, chunks, accumulate)
		return
	}
	s.tiles(c, segments, steps, aStep, bStep, chunks, accumulate)
}

// SplitProduct is [Set.TileProduct] for matrices that are split in two: of the
// four products, that of the rests is left out, which is smaller than what two
// bfloat16 lose.
func (s *Set) SplitProduct(c []float32, segments []Segment, steps int, a, b Strides, chunks int) {
	_ = c[chunks*TileSums-1]
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
		s.TileProduct(c, moved, steps, a.Step, b.Step, chunks, i > 0)
	}
}

func tileProductGeneric(c []float32, segments []Segment, steps, aStep, bStep, chunks int, accumulate bool) {
	const words = TileRows / 2
	for i := range chunks {
		block := c[i*TileSums:][:TileSums]
		if !accumulate {
			clear(block)
		}
		for _, s := range segments {
			for step := range steps {
				a := unsafe.Slice((*uint32)(unsafe.Add(unsafe.Pointer(s.A), (step*aStep+i*TileWords)*4)), TileWords)
				b := unsafe.Slice((*uint32)(unsafe.Add(unsafe.Pointer(s.B), step*bStep*4)), TileWords)
				for row := range TileRows {
					for half := range 2 {
						sum := block[row*TileRows+half*words:][:words]
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

// Aligned returns zeros that start at a cache line: a tile that does not takes
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
