package kernel

import "unsafe"

// gemmGeneric is the reference.
func gemmGeneric(width, m, k, lda, ldc int, a, b, c *float32, accumulate bool) {
	as := unsafe.Slice(a, (m-1)*lda+k)
	bs := unsafe.Slice(b, k*width)
	cs := unsafe.Slice(c, (m-1)*ldc+width)
	for i := range m {
		row := cs[i*ldc:][:width]
		if !accumulate {
			clear(row)
		}
		for p, av := range as[i*lda:][:k] {
			for j, bv := range bs[p*width:][:width] {
				row[j] += av * bv
			}
		}
	}
}
