package kernel

// Adjoints of the kernels of transformers carry gradients back, in place.

// Ungelu carries gradients back through [Set.Gelu]: g ← g·(Φ(x) + x·φ(x)), where x is what
// came in, its bias added, φ the density of the normal distribution, and Φ its distribution
// function. There are n values, a multiple of [Lanes]. The factor is exact to 1e-6 of the
// larger of 1 and |x|.
func (s *Set) Ungelu(g, x []float32, n int) {
	_, _ = g[n-1], x[n-1]
	s.ungelu(&g[0], &x[0], n)
}

// Unstandardize carries gradients back through [Set.Standardize]: of each row of g it takes
// the mean, and y times the mean of g·y, where y is what came out, and scales what remains
// by the row's inverse, 1 over its standard deviation.
func (s *Set) Unstandardize(g, y, inverse []float32, rows, c int) {
	_, _, _ = g[rows*c-1], y[rows*c-1], inverse[rows-1]
	s.unstandardize(&g[0], &y[0], &inverse[0], rows, c)
}

// Unsoftmax carries gradients back through [Set.Softmax], whose result is p, and multiplies
// them by a scale: g ← scale·p·(g − Σ g·p), a sum for each row. Where p is zero, as past
// the row's part, so is g then; it must be finite before.
func (s *Set) Unsoftmax(g, p []float32, rows, c int, scale float32) {
	_, _ = g[rows*c-1], p[rows*c-1]
	s.unsoftmax(&g[0], &p[0], rows, c, scale)
}
