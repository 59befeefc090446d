package kernel

//go:noescape
func bytesQuads16(rows, k int, a *uint8, b *int8, sums *int32)

//go:noescape
func bytesPairs16(rows, k int, a *uint8, b *int8, sums *int32)

func bytePanelOf(int) bytePanelFunc {
	if pairs() {
		return func(_, rows, k int, a *uint8, b *int8, sums *int32) { bytesPairs16(rows, k, a, b, sums) }
	}
	return func(_, rows, k int, a *uint8, b *int8, sums *int32) { bytesQuads16(rows, k, a, b, sums) }
}

// pairs reports whether the processor lacks an instruction for sums of four products, so that the
// engine emulates it by five. Sums of two products are faster then. It tries 8-bit activations,
// which are not used otherwise: the instruction has 32-bit sums and treats the highest bit as a
// value or a sign; the emulation has 16-bit sums, which saturate.
//
// V8 11.3 (Node 20) compiles these five instructions wrongly; sums of two products are correct
// there.
func pairs() bool {
	a, b, sums := [2 * quad]uint8{255, 255, 255, 255}, [quad * Lanes]int8{MaxWeight, MaxWeight, MaxWeight, MaxWeight}, [2 * Lanes]int32{}
	bytesQuads16(2, quad, &a[0], &b[0], &sums[0])
	return sums[0] != quad*255*MaxWeight && sums[0] != quad*-1*MaxWeight
}
