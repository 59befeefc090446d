package tensor

import "math"

// FromHalf returns the value of an IEEE 754 binary16 number, which float32 represents exactly.
func FromHalf(h uint16) float32 {
	sign := uint32(h>>15) << 31
	exponent := uint32(h >> 10 & 0x1f)
	fraction := uint32(h & 0x3ff)
	switch exponent {
	case 0: // zero and subnormals: fraction · 2^-24
		value := float32(fraction) * 0x1p-24
		return math.Float32frombits(sign | math.Float32bits(value))
	case 0x1f: // infinities and NaNs keep their payload
		return math.Float32frombits(sign | 0xff<<23 | fraction<<13)
	default:
		return math.Float32frombits(sign | (exponent+112)<<23 | fraction<<13)
	}
}

// ToHalf returns the binary16 number nearest to f, ties to even. Magnitudes of 65520 and more
// become infinite, up to 2^-25 zero, and a NaN becomes quiet with the upper bits of its payload.
func ToHalf(f float32) uint16 {
	bits := math.Float32bits(f)
	sign := uint16(bits >> 16 & 0x8000)
	magnitude := bits & 0x7fffffff
	switch {
	case magnitude > 0x7f800000: // NaN
		return sign | 0x7e00 | uint16(magnitude>>13&0x3ff)
	case magnitude >= 0x47800000:
		return sign | 0x7c00
	case magnitude >= 0x38800000: // normal halves, 2^-14 and more
		// Rebias 127 to 15. A carry out of the fraction increments the exponent, up to infinity, as
		// rounding requires.
		return sign | uint16(roundShift(magnitude-112<<23, 13))
	case magnitude > 0x33000000: // subnormal halves, multiples of 2^-24
		significand := magnitude&0x7fffff | 0x800000
		return sign | uint16(roundShift(significand, 126-magnitude>>23))
	default: // at most half of the smallest subnormal
		return sign
	}
}

// FromBrain returns the value of a bfloat16 number: the upper half of a float32.
func FromBrain(b uint16) float32 { return math.Float32frombits(uint32(b) << 16) }

// roundShift returns v / 2^n rounded to nearest, ties to even, for 0 < n < 32.
func roundShift(v, n uint32) uint32 {
	half := uint32(1)<<(n-1) - 1
	return (v + half + v>>n&1) >> n
}
