package kernel

import (
	"math"
	"unsafe"
)

// vectorSplit and vectorFinishPixels process pixels in vectors; nil if this build cannot. A processor can
// if it has bfloat16 products.
var (
	vectorSplit        func(first, second, src unsafe.Pointer, pixels, stride int)
	vectorFinishPixels func(dst, sums, bias unsafe.Pointer, add bool, pixels, stride int, slope float32)
)

// SplitPixels writes pixels of c channels, at most [BlockSide], as two rows of bfloat16 each: the
// rounded value and the rounded remainder, together 16 of its 24 bits. Rows are 16 words; channels
// beyond c are zero.
func (s *Set) SplitPixels(first, second []uint32, src []float32, pixels, stride, c int) {
	const words = BlockSide / 2
	if pixels == 0 {
		return
	}
	_, _, _ = first[pixels*words-1], second[pixels*words-1], src[(pixels-1)*stride+c-1]
	if vectorSplit != nil && c == BlockSide && s.blocks != nil {
		vectorSplit(unsafe.Pointer(&first[0]), unsafe.Pointer(&second[0]), unsafe.Pointer(&src[0]), pixels, stride)
		return
	}
	for p := range pixels {
		row := src[p*stride:][:c]
		a, b := first[p*words:][:words], second[p*words:][:words]
		clear(a)
		clear(b)
		for i, v := range row {
			high, low := Split(v)
			a[i/2] |= high << (i % 2 * 16)
			b[i/2] |= low << (i % 2 * 16)
		}
	}
}

// FinishPixels computes the output of a layer for pixels of c channels, at most [BlockSide], whose
// sums are rows of [BlockSide] and which are stride apart in dst: dst = leaky(sum + bias), or
// leaky(dst + sum + bias) if add is set.
func (s *Set) FinishPixels(dst, sums, bias []float32, add bool, pixels, stride, c int, slope float32) {
	if pixels == 0 {
		return
	}
	_, _, _ = dst[(pixels-1)*stride+c-1], sums[(pixels-1)*BlockSide+c-1], bias[c-1]
	if vectorFinishPixels != nil && s.blocks != nil && c%16 == 0 {
		for half := 0; half < c; half += 16 {
			vectorFinishPixels(unsafe.Pointer(&dst[half]), unsafe.Pointer(&sums[half]), unsafe.Pointer(&bias[half]), add, pixels, stride, slope)
		}
		return
	}
	for p := range pixels {
		for i, v := range sums[p*BlockSide:][:c] {
			to := &dst[p*stride+i]
			if v += bias[i]; add {
				v += *to
			}
			*to = max(v, v*slope)
		}
	}
}

// Split rounds a value to a bfloat16, and the remainder to another. Both are in the lower half of a
// word.
func Split(v float32) (first, second uint32) {
	first = RoundBFloat16(v)
	return first, RoundBFloat16(v - math.Float32frombits(first<<16))
}

// RoundBFloat16 rounds a value to the nearest bfloat16, ties to even, in the lower half
// of a word.
func RoundBFloat16(v float32) uint32 {
	bits := math.Float32bits(v)
	return (bits + 0x7fff + bits>>16&1) >> 16
}
