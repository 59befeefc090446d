package kernel

// transforms are the kernels that process channels. Pointers lead to c channels (a multiple of
// Lanes) of a pixel; strides are in floats.
type transforms struct {
	inputF2, inputF4   func(dst, src *float32, c, row, plane int)
	outputF2, outputF4 func(dst, m, bias, res *float32, c, row, plane, ny, nx int, slope float32)
	filterF2, filterF4 func(dst, src *float32, c, tap, plane int)

	outputAdjointF2, outputAdjointF4 func(dst, src *float32, c, row, plane int)
	filterAdjointF2, filterAdjointF4 func(dst, src *float32, c, tap, plane int)

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

	finish  func(dst, src, bias, res *float32, c int, slope float32)
	maxPool func(dst, src *float32, c, row int)
}

// Finish computes the output of a layer for one pixel of c channels: dst = leaky(src + bias + res);
// res may be nil. See [Set.WinogradOutput] for leaky. dst may be src.
func (s *Set) Finish(dst, src, bias, res []float32, c int, slope float32) {
	_, _, _ = dst[c-1], src[c-1], bias[c-1]
	var r *float32
	if res != nil {
		_ = res[c-1]
		r = &res[0]
	}
	s.finish(&dst[0], &src[0], &bias[0], r, c, slope)
}

// MaxPool computes the maximum over a 2×2 window, whose rows are row apart, for c channels.
func (s *Set) MaxPool(dst, src []float32, c, row int) {
	_, _ = dst[c-1], src[row+2*c-1]
	s.maxPool(&dst[0], &src[0], c, row)
}

// Standardize subtracts the mean of each row and divides by its standard deviation: layer
// normalisation without weight and bias. It adds epsilon to the variance. Rows of c values are
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
		panic("kernel: softmax of a part that the row does not have")
	}
	s.softmax(&x[0], rows, n, c)
}
