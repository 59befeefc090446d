package kernel

//go:noescape
func bytesQuads16(rows, k int, a *uint8, b *int8, sums *int32)

//go:noescape
func bytesPairs16(rows, k int, a *uint8, b *int8, sums *int32)

// bytePanelOf is the product of bytes of a set, whose panels have 16 columns.
func bytePanelOf(int) bytePanelFunc {
	if pairs() {
		return func(_, rows, k int, a *uint8, b *int8, sums *int32) { bytesPairs16(rows, k, a, b, sums) }
	}
	return func(_, rows, k int, a *uint8, b *int8, sums *int32) { bytesQuads16(rows, k, a, b, sums) }
}

// pairs tells whether the processor has no instruction for sums of four products, so that
// the engine makes five of it: then sums of two, with ones that stay in a register, are
// faster. Activations of 8 bits, which there are none of, show it: such an instruction sums
// in 32 bits, whether it takes their highest for a sign or not; the others saturate at 16.
//
// V8 11.3, of Node 20, gets just those five instructions wrong, and these sums are right.
func pairs() bool {
	a, b, sums := [2 * quad]uint8{255, 255, 255, 255}, [quad * Lanes]int8{MaxWeight, MaxWeight, MaxWeight, MaxWeight}, [2 * Lanes]int32{}
	bytesQuads16(2, quad, &a[0], &b[0], &sums[0])
	return sums[0] != quad*255*MaxWeight && sums[0] != quad*-1*MaxWeight
}
