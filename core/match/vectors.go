//go:build !goexperiment.simd || !(arm64 || wasm)

package match

// The loops over channels in plain Go. They are the reference for vectors_128.go: the compiler does
// not vectorize them.

// dot returns the product of two vectors of the same length, in four partial sums.
func dot(a, b []float32) float32 {
	var s0, s1, s2, s3 float32
	b = b[:len(a)]
	k := 0
	for ; k+4 <= len(a); k += 4 {
		x, y := a[k:k+4], b[k:k+4]
		s0 += x[0] * y[0]
		s1 += x[1] * y[1]
		s2 += x[2] * y[2]
		s3 += x[3] * y[3]
	}
	for ; k < len(a); k++ {
		s0 += a[k] * b[k]
	}
	return (s0 + s1) + (s2 + s3)
}

// axpy adds a·x to dst.
func axpy(dst []float32, a float32, x []float32) {
	x = x[:len(dst)]
	for k, v := range x {
		dst[k] += a * v
	}
}

// sum returns the sum of a vector's values.
func sum(a []float32) float64 {
	var s float64
	for _, v := range a {
		s += float64(v)
	}
	return s
}

// deviation returns the sum of squared distances from center.
func deviation(a []float32, center float64) float64 {
	var s float64
	for _, v := range a {
		d := float64(v) - center
		s += d * d
	}
	return s
}

// standardize writes (a − center)·scale to dst, which may alias a.
func standardize(dst, a []float32, center, scale float64) {
	dst = dst[:len(a)]
	for k, v := range a {
		dst[k] = float32((float64(v) - center) * scale)
	}
}
