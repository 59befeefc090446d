package kernel

import "unsafe"

func gemmGeneric(width, m, k, lda, ldc int, a, b, c, from, bias *float32, slope, most float32) {
	as := unsafe.Slice(a, (m-1)*lda+k)
	bs := unsafe.Slice(b, k*width)
	cs := unsafe.Slice(c, (m-1)*ldc+width)
	for i := range m {
		row := cs[i*ldc:][:width]
		if from == nil {
			clear(row)
		} else {
			copy(row, unsafe.Slice((*float32)(unsafe.Add(unsafe.Pointer(from), i*ldc*4)), width))
		}
		for p, av := range as[i*lda:][:k] {
			for j, bv := range bs[p*width:][:width] {
				row[j] += av * bv
			}
		}
		if bias == nil {
			continue
		}
		for j, bv := range unsafe.Slice(bias, width) {
			v := row[j] + bv
			row[j] = min(max(v, v*slope), most)
		}
	}
}

func gemmTGeneric(width, m, k, lda, ldb, ldc int, a, b, c *float32, accumulate bool) {
	as := unsafe.Slice(a, (k-1)*lda+m)
	bs := unsafe.Slice(b, (k-1)*ldb+width)
	cs := unsafe.Slice(c, (m-1)*ldc+width)
	for i := range m {
		row := cs[i*ldc:][:width]
		if !accumulate {
			clear(row)
		}
		for p := range k {
			av := as[p*lda+i]
			for j, bv := range bs[p*ldb:][:width] {
				row[j] += av * bv
			}
		}
	}
}
