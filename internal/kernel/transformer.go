package kernel

// Kernels of transformers. They work on rows, contiguous in memory, of c channels each.

// Standardize writes each row less its mean and over its standard deviation, the layer
// normalisation without weight and bias; epsilon is added to the variance. dst may be src.
func (s *Set) Standardize(dst, src []float32, rows, c int, epsilon float32) {
	_, _ = dst[rows*c-1], src[rows*c-1]
	s.standardize(&dst[0], &src[0], rows, c, epsilon)
}

// Gelu adds the bias of each channel, [c], and applies the activation x·Φ(x), where Φ is
// the distribution function of the normal distribution (Hendrycks & Gimpel, 2016, not
// its approximation by tanh), in place. It is exact to 3e-7 of the larger of 1 and |x|.
func (s *Set) Gelu(x, bias []float32, rows, c int) {
	_, _ = x[rows*c-1], bias[c-1]
	s.gelu(&x[0], &bias[0], rows, c)
}

// Softmax replaces the first n values of each row by their softmax, and the others, up
// to c, by zeros.
func (s *Set) Softmax(x []float32, rows, n, c int) {
	_ = x[rows*c-1]
	if n < 1 || n > c {
		panic("kernel: softmax of a part that the row does not have")
	}
	s.softmax(&x[0], rows, n, c)
}
