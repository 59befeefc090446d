package kernel

// transforms are the kernels that process channels. Pointers lead to c channels (a multiple of
// Lanes) of a pixel; strides are in floats.
type transforms struct {
	f2, f4 winograd

	normalize func(dst, src, scale, shift, res *float32, pixels, c int, slope float32)
	moments   func(sum, product, x, y *float32, pixels, c int)
	unleak    func(g, y *float32, pixels, c int, slope float32)
	combine   func(dst, g, z, a, b, k *float32, pixels, c int)
	unpool    func(dst, g, src *float32, c, row int)

	standardize func(dst, src *float32, rows, c int, epsilon float32)
	gelu        func(x, bias *float32, rows, c int)
	softmax     func(x *float32, rows, n, c int)

	depthwise    func(dst, src, w, bias *float32, taps []Tap, c int)
	depthwiseRow func(dst, top, middle, bottom, w, bias *float32, width, stride, c int, least, most float32)
	clamp        func(x *float32, n int, most float32)
	largest      func(dst, src *float32, taps []Tap, c int)
	hardSwish    func(x *float32, n int)

	scan func(dst []int32, rows []byte, query []int16)

	quantize    func(dst *uint8, low, step, src *float32, rows, c, stride int)
	finishBytes func(dst *float32, stride int, sums *int32, rows, width int, low, step, scale, total, bias *float32, add bool, slope float32)

	maxPool func(dst, src *float32, c, row int)
}

// MaxPool computes the maximum over a 2×2 window, whose rows are row apart, for c channels.
func (s *Set) MaxPool(dst, src []float32, c, row int) {
	_, _ = dst[c-1], src[row+2*c-1]
	s.maxPool(&dst[0], &src[0], c, row)
}

// Standardize subtracts the mean of each row and divides by its standard deviation: layer
// normalization without weight and bias. It adds epsilon to the variance. Rows of c values are
// contiguous; dst may be src.
func (s *Set) Standardize(dst, src []float32, rows, c int, epsilon float32) {
	_, _ = dst[rows*c-1], src[rows*c-1]
	s.standardize(&dst[0], &src[0], rows, c, epsilon)
}

// Gelu adds the bias of each channel, [c], to contiguous rows and applies the activation x·Φ(x) in
// place, where Φ is the cumulative distribution function of the normal distribution (Hendrycks &
// Gimpel, 2016, without the tanh approximation). The error is at most 3e-7 of the larger of 1 and
// |x|.
func (s *Set) Gelu(x, bias []float32, rows, c int) {
	_, _ = x[rows*c-1], bias[c-1]
	s.gelu(&x[0], &bias[0], rows, c)
}

// Softmax replaces the first n values of each contiguous row of c by their softmax, and the others
// by zeros.
func (s *Set) Softmax(x []float32, rows, n, c int) {
	_ = x[rows*c-1]
	if n < 1 || n > c {
		panic("kernel: softmax of a part outside the row")
	}
	s.softmax(&x[0], rows, n, c)
}

// The kernels of batch normalization in training work on pixels of c channels, contiguous in
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
// normalization. dst may be g or z.
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

// The kernels of depthwise convolutions work on pixels of c channels, a multiple of [Lanes].

// Depthwise computes one pixel of a depthwise convolution: dst = bias + Σ over the taps of the
// pixel of src at the tap's offset, times the weights w[tap·c:][:c].
func (s *Set) Depthwise(dst, src, w, bias []float32, taps []Tap, c int) {
	_, _ = dst[c-1], bias[c-1]
	for _, t := range taps {
		_, _ = src[t.Offset+c-1], w[(t.Number+1)*c-1]
	}
	s.depthwise(&dst[0], &src[0], &w[0], &bias[0], taps, c)
}

// DepthwiseRow computes a row of a 3×3 depthwise convolution with zero padding: dst = min(max(bias
// + Σ, least), most). rows are the three input rows of width pixels; rows outside of the image are
// zeros. w is [9, c], stride is 1 or 2, and dst gets ⌈width/stride⌉ pixels.
func (s *Set) DepthwiseRow(dst []float32, rows [3][]float32, w, bias []float32, width, stride, c int, least, most float32) {
	if width < 1 || stride != 1 && stride != 2 {
		panic("kernel: depthwise convolution of no pixels, or of a stride that is neither 1 nor 2")
	}
	_, _, _ = dst[(width+stride-1)/stride*c-1], w[9*c-1], bias[c-1]
	_, _, _ = rows[0][width*c-1], rows[1][width*c-1], rows[2][width*c-1]
	s.depthwiseRow(&dst[0], &rows[0][0], &rows[1][0], &rows[2][0], &w[0], &bias[0], width, stride, c, least, most)
}

// Largest computes one pixel of a max-pool: the maximum of the pixels of src at the offsets of the
// taps, at least one.
func (s *Set) Largest(dst, src []float32, taps []Tap, c int) {
	_ = dst[c-1]
	for _, t := range taps {
		_ = src[t.Offset+c-1]
	}
	s.largest(&dst[0], &src[0], taps, c)
}

// Tap is an element of a filter: its number, and the offset of its pixel.
type Tap struct{ Number, Offset int }

// Clamp applies min(max(x, 0), most), in place, to whole vectors of [Lanes].
func (s *Set) Clamp(x []float32, most float32) {
	if len(x) > 0 {
		s.clamp(&x[0], len(x), most)
	}
}

// HardSwish applies x·min(max(x + 3, 0), 6)/6 (Howard et al., "Searching for MobileNetV3",
// 2019), in place, to whole vectors of [Lanes].
func (s *Set) HardSwish(x []float32) {
	if len(x) > 0 {
		s.hardSwish(&x[0], len(x))
	}
}
