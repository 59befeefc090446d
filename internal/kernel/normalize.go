package kernel

// The kernels of batch normalisation in training work on pixels of c channels, contiguous in
// memory.

// Normalize scales and shifts each channel: dst = leaky(src·scale + shift + res); res may be nil.
// See [Set.WinogradOutput] for leaky. dst may be src or res.
func (s *Set) Normalize(dst, src, scale, shift, res []float32, pixels, c int, slope float32) {
	_, _, _, _ = dst[pixels*c-1], src[pixels*c-1], scale[c-1], shift[c-1]
	var r *float32
	if res != nil {
		_ = res[pixels*c-1]
		r = &res[0]
	}
	s.normalize(&dst[0], &src[0], &scale[0], &shift[0], r, pixels, c, slope)
}

// Moments adds to the sums of each channel: sum += Σ x and product += Σ x·y.
func (s *Set) Moments(sum, product, x, y []float32, pixels, c int) {
	_, _, _, _ = sum[c-1], product[c-1], x[pixels*c-1], y[pixels*c-1]
	s.moments(&sum[0], &product[0], &x[0], &y[0], pixels, c)
}

// Unleak propagates a gradient back through the activation, in place: g ← g where its output y is
// positive, slope·g elsewhere.
func (s *Set) Unleak(g, y []float32, pixels, c int, slope float32) {
	_, _ = g[pixels*c-1], y[pixels*c-1]
	s.unleak(&g[0], &y[0], pixels, c, slope)
}

// Combine computes dst = a·g + b·z + k with a, b and k for each channel: the gradient of a batch
// normalisation. dst may be g or z.
func (s *Set) Combine(dst, g, z, a, b, k []float32, pixels, c int) {
	_, _, _ = dst[pixels*c-1], g[pixels*c-1], z[pixels*c-1]
	_, _, _ = a[c-1], b[c-1], k[c-1]
	s.combine(&dst[0], &g[0], &z[0], &a[0], &b[0], &k[0], pixels, c)
}

// Unpool propagates a pixel's gradient g, [c], back through [Set.MaxPool]. Of the 2×2 pixels of
// src, rows row apart, the first maximum gets it and the others get zero. dst has the layout of
// src.
func (s *Set) Unpool(dst, g, src []float32, c, row int) {
	_, _, _ = dst[row+2*c-1], g[c-1], src[row+2*c-1]
	s.unpool(&dst[0], &g[0], &src[0], c, row)
}
