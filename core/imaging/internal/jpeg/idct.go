package jpeg

// The inverse transform is libjpeg's "islow": the algorithm of Loeffler, Ligtenberg and Moschytz
// (Practical fast 1-D DCT algorithms with 11 multiplications, ICASSP 1989) with 13-bit fixed-point
// factors, columns first, with two extra bits between the passes. Integer sums are exact, so only
// the factors and the two roundings determine the result; they are libjpeg's.
const (
	factorBits = 13
	passBits   = 2
)

// Sums of cosines, rounded to factorBits.
const (
	f0298 = 2446  // √2(−c1+c3+c5−c7)
	f0390 = 3196  // √2(c3−c5)
	f0541 = 4433  // √2·c6
	f0765 = 6270  // √2(c2−c6)
	f0899 = 7373  // √2(c3−c7)
	f1175 = 9633  // √2·c3
	f1501 = 12299 // √2(c1+c3−c5−c7)
	f1847 = 15137 // √2(c2+c6)
	f1961 = 16069 // √2(c3+c5)
	f2053 = 16819 // √2(c1+c3−c5+c7)
	f2562 = 20995 // √2(c1+c3)
	f3072 = 25172 // √2(c1+c3+c5−c7)
)

// inverseDCT writes the 8×8 samples of the dequantized coefficients b, in row-major order, to out.
// It overwrites b.
func inverseDCT(out []uint8, stride int, b *[64]int32) {
	const round1 = 1 << (factorBits - passBits - 1)
	for i := range 8 {
		if b[8+i]|b[16+i]|b[24+i]|b[32+i]|b[40+i]|b[48+i]|b[56+i] == 0 {
			v := b[i] << passBits
			b[i], b[8+i], b[16+i], b[24+i], b[32+i], b[40+i], b[48+i], b[56+i] = v, v, v, v, v, v, v, v
			continue
		}
		e0, e1, e2, e3 := even(b[i], b[16+i], b[32+i], b[48+i])
		o0, o1, o2, o3 := odd(b[8+i], b[24+i], b[40+i], b[56+i])
		b[i] = (e0 + o0 + round1) >> (factorBits - passBits)
		b[56+i] = (e0 - o0 + round1) >> (factorBits - passBits)
		b[8+i] = (e1 + o1 + round1) >> (factorBits - passBits)
		b[48+i] = (e1 - o1 + round1) >> (factorBits - passBits)
		b[16+i] = (e2 + o2 + round1) >> (factorBits - passBits)
		b[40+i] = (e2 - o2 + round1) >> (factorBits - passBits)
		b[24+i] = (e3 + o3 + round1) >> (factorBits - passBits)
		b[32+i] = (e3 - o3 + round1) >> (factorBits - passBits)
	}
	// The rows, divided by 8 as in the two-dimensional transform.
	const shift2 = factorBits + passBits + 3
	const round2 = 1 << (shift2 - 1)
	for y := range 8 {
		r := (*[8]int32)(b[8*y:])
		e0, e1, e2, e3 := even(r[0], r[2], r[4], r[6])
		o0, o1, o2, o3 := odd(r[1], r[3], r[5], r[7])
		p := (*[8]uint8)(out[y*stride:])
		p[0] = sample((e0 + o0 + round2) >> shift2)
		p[1] = sample((e1 + o1 + round2) >> shift2)
		p[2] = sample((e2 + o2 + round2) >> shift2)
		p[3] = sample((e3 + o3 + round2) >> shift2)
		p[4] = sample((e3 - o3 + round2) >> shift2)
		p[5] = sample((e2 - o2 + round2) >> shift2)
		p[6] = sample((e1 - o1 + round2) >> shift2)
		p[7] = sample((e0 - o0 + round2) >> shift2)
	}
}

// even returns the symmetric half of the one-dimensional transform, from coefficients 0, 2, 4 and
// 6.
func even(x0, x2, x4, x6 int32) (e0, e1, e2, e3 int32) {
	z := (x2 + x6) * f0541
	lo, hi := z-x6*f1847, z+x2*f0765
	sum, diff := (x0+x4)<<factorBits, (x0-x4)<<factorBits
	return sum + hi, diff + lo, diff - lo, sum - hi
}

// odd returns the antisymmetric half, from coefficients 1, 3, 5 and 7.
func odd(x1, x3, x5, x7 int32) (o0, o1, o2, o3 int32) {
	z := (x7 + x3 + x5 + x1) * f1175
	a, b := (x7+x1)*f0899, (x5+x3)*f2562
	c, d := z-(x7+x3)*f1961, z-(x5+x1)*f0390
	return x1*f1501 - a + d, x3*f3072 - b + c, x5*f2053 - b + d, x7*f0298 - a + c
}

// fillBlock is inverseDCT for a block whose only nonzero coefficient is dc.
func fillBlock(out []uint8, stride int, dc int32) {
	v := sample((dc<<passBits + 1<<(passBits+2)) >> (passBits + 3))
	for y := range 8 {
		p := (*[8]uint8)(out[y*stride:])
		*p = [8]uint8{v, v, v, v, v, v, v, v}
	}
}

// sample reverts the level shift and limits to eight bits.
func sample(v int32) uint8 { return uint8(min(max(v+128, 0), 255)) }
