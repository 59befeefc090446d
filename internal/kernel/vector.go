package kernel

// Dot returns the dot product of a and the first len(a) values of b, in four partial sums.
func Dot[T float32 | float64](a, b []T) float64 {
	b = b[:len(a)]
	var s0, s1, s2, s3 T
	i := 0
	for ; i+4 <= len(a); i += 4 {
		x, y := a[i:i+4], b[i:i+4]
		s0 += x[0] * y[0]
		s1 += x[1] * y[1]
		s2 += x[2] * y[2]
		s3 += x[3] * y[3]
	}
	for ; i < len(a); i++ {
		s0 += a[i] * b[i]
	}
	return float64(s0+s1) + float64(s2+s3)
}

// AddTimes adds a·x to dst, with the first len(dst) values of x.
func AddTimes(dst []float32, a float32, x []float32) {
	x = x[:len(dst)]
	i := 0
	for ; i+4 <= len(x); i += 4 {
		to, from := dst[i:i+4], x[i:i+4]
		to[0] += a * from[0]
		to[1] += a * from[1]
		to[2] += a * from[2]
		to[3] += a * from[3]
	}
	for ; i < len(x); i++ {
		dst[i] += a * x[i]
	}
}
