package kernel

// The kernels of depthwise convolutions work on pixels of c channels, a multiple of [Lanes].

// Depthwise computes one pixel of a depthwise convolution: dst = bias + Σ over the taps of the
// pixel of src at the tap's offset, times the weights w[tap·c:][:c].
func (s *Set) Depthwise(dst, src, w, bias []float32, taps []Tap, c int) {
	_, _ = dst[c-1], bias[c-1]
	for _, t := range taps {
		_, _ = src[t.Offset+c-1], w[(t.Number+1)*c-1]
	}
	if len(taps) == 0 {
		copy(dst[:c], bias)
		return
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
