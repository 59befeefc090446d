package kernel

// Winograd's convolution follows Lavin & Gray, "Fast Algorithms for Convolutional Neural Networks"
// (2015): F(t×t, 3×3) computes t×t pixels of a 3×3 convolution with (t+2)² products instead of
// 9·t². Input, filters and output are transformed, Y = Aᵀ·[(G·g·Gᵀ) ⊙ (Bᵀ·d·B)]·A, and the products
// over channels become one matrix product for each of the (t+2)² elements.

// winograd holds the transforms for one size of tiles.
type winograd struct {
	input         func(dst, src *float32, c, row, plane int)
	output        func(dst, m, bias, res *float32, c, row, plane, ny, nx int, slope float32)
	filter        func(dst, src *float32, c, tap, plane int)
	outputAdjoint func(dst, src *float32, c, row, plane int)
	filterAdjoint func(dst, src *float32, c, tap, plane int)
}

func (s *Set) winograd(t int) *winograd {
	if t == 4 {
		return &s.f4
	}
	return &s.f2
}

// WinogradInput transforms one input tile of a 3×3 convolution for F(t×t, 3×3), t = 2 or 4: V =
// Bᵀ·d·B. src starts at the top left of (t+2)² pixels with c channels, rows row apart. Result p of
// (t+2)² goes to dst[p·plane:][:c].
func (s *Set) WinogradInput(t int, dst, src []float32, c, row, plane int) {
	side := t + 2
	_ = src[(side-1)*row+side*c-1]
	_ = dst[(side*side-1)*plane+c-1]
	s.winograd(t).input(&dst[0], &src[0], c, row, plane)
}

// WinogradOutput transforms the products back, Y = Aᵀ·m·A, and computes the output of the layer:
// dst = leaky(Y + bias + res), with leaky(v) = max(v, slope·v); slope 1 means no activation. m
// holds (t+2)² planes, plane apart. Only the first ny rows and nx columns of the t×t pixels are
// written. dst and res (may be nil) have pixels of c channels and rows row apart.
func (s *Set) WinogradOutput(t int, dst, m, bias, res []float32, c, row, plane, ny, nx int, slope float32) {
	side := t + 2
	_ = m[(side*side-1)*plane+c-1]
	last := (ny-1)*row + nx*c - 1
	_, _ = dst[last], bias[c-1]
	var r *float32
	if res != nil {
		_ = res[last]
		r = &res[0]
	}
	s.winograd(t).output(&dst[0], &m[0], &bias[0], r, c, row, plane, ny, nx, slope)
}

// WinogradFilter transforms filters for F(t×t, 3×3), t = 2 or 4: U = G·g·Gᵀ.
// Tap (y, x) of c filters is src[(3y+x)·tap:][:c]; element p of the (t+2)²
// results goes to dst[p·plane:][:c].
func (s *Set) WinogradFilter(t int, dst, src []float32, c, tap, plane int) {
	side := t + 2
	_ = src[8*tap+c-1]
	_ = dst[(side*side-1)*plane+c-1]
	s.winograd(t).filter(&dst[0], &src[0], c, tap, plane)
}

// WinogradOutputAdjoint propagates a gradient back through the output transform: dM = A·dY·Aᵀ. src
// starts at the top left of t×t pixels of dY with c channels, rows row apart. Element p of the
// (t+2)² results goes to dst[p·plane:][:c].
func (s *Set) WinogradOutputAdjoint(t int, dst, src []float32, c, row, plane int) {
	side := t + 2
	_ = src[(t-1)*row+t*c-1]
	_ = dst[(side*side-1)*plane+c-1]
	s.winograd(t).outputAdjoint(&dst[0], &src[0], c, row, plane)
}

// WinogradFilterAdjoint propagates a gradient back through the filter transform: dg = Gᵀ·dU·G.
// Element p of the (t+2)² of dU is src[p·plane:][:c]. Tap (y, x) of the gradient of the c filters
// goes to dst[(3y+x)·tap:][:c].
func (s *Set) WinogradFilterAdjoint(t int, dst, src []float32, c, tap, plane int) {
	side := t + 2
	_ = dst[8*tap+c-1]
	_ = src[(side*side-1)*plane+c-1]
	s.winograd(t).filterAdjoint(&dst[0], &src[0], c, tap, plane)
}
