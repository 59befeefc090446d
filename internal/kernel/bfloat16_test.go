package kernel

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestBlockProduct compares every set's products of blocks, and of parts of blocks, with
// sums in float64.
func TestBlockProduct(t *testing.T) {
	const steps, chunks, count = 3, 2, 4
	r := rand.New(rand.NewPCG(1, 2))
	random := func(n int) []uint32 {
		words := Aligned[uint32](n)
		for i := range words {
			words[i] = math.Float32bits(float32(r.NormFloat64()))>>16 | math.Float32bits(float32(r.NormFloat64()))&^0xffff
		}
		return words
	}
	const aStep, bStep = chunks * BlockWords, BlockWords
	a, b := random(count*steps*aStep), random(count*steps*bStep)
	var segments []Segment
	for i := range count {
		segments = append(segments, Segment{&a[i*steps*aStep], &b[i*steps*bStep]})
	}
	value := func(w uint32, term int) float64 { return float64(bfloat16(w << (16 * (1 - term%2)))) }
	for _, size := range []struct{ rows, terms int }{{chunks * BlockSide, BlockSide}, {BlockSide * 3 / 2, BlockSide}, {BlockSide / 2, BlockSide / 2}} {
		want := make([]float64, size.rows*BlockSide)
		for i := range want {
			row, col := i/BlockSide, i%BlockSide
			for part := range count * steps {
				for term := range size.terms {
					want[i] += value(a[part*aStep+row*16+term/2], term) *
						value(b[part*bStep+(col/16*16+term/2)*16+col%16], term)
				}
			}
		}
		for _, s := range available() {
			if size.rows%s.BlockPart() != 0 || size.terms%s.BlockPart() != 0 {
				continue
			}
			got := Aligned[float32](chunks * BlockSums)
			for pass, accumulate := range []bool{false, true} {
				s.BlockProduct(got, segments, steps, size.terms, aStep, bStep, size.rows, accumulate)
				for i, w := range want {
					w *= float64(pass + 1)
					if math.Abs(float64(got[i])-w) > 1e-4*(1+math.Abs(w)) {
						t.Fatalf("%s: %d rows of %d terms: sum %d is %g, want %g", s.Name(), size.rows, size.terms, i, got[i], w)
					}
				}
			}
			for i, v := range got[len(want):] {
				if v != 0 {
					t.Fatalf("%s: %d rows of %d terms: sum %d beyond is %g", s.Name(), size.rows, size.terms, len(want)+i, v)
				}
			}
		}
	}
}
