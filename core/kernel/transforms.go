package kernel

// transforms are the kernels that work along channels. Pointers lead to c
// channels (a multiple of Lanes) of a pixel; strides are in floats.
type transforms struct {
	inputF2, inputF4   func(dst, src *float32, c, row, plane int)
	outputF2, outputF4 func(dst, m, bias, res *float32, c, row, plane, ny, nx int, slope float32)
	finish             func(dst, src, bias, res *float32, c int, slope float32)
	maxPool            func(dst, src *float32, c, row int)
}

// WinogradInput transforms one tile of the input of a 3×3 convolution for
// F(t×t, 3×3), t = 2 or 4: V = Bᵀ·d·B (Lavin & Gray, "Fast Algorithms for
// Convolutional Neural Networks", 2015). src is the tile's top left pixel, its
// (t+2)² pixels having c channels each and rows being row apart; plane p of the
// (t+2)² results goes to dst[p·plane:][:c].
func (s *Set) WinogradInput(t int, dst, src []float32, c, row, plane int) {
	side := t + 2
	_ = src[(side-1)*row+side*c-1]
	_ = dst[(side*side-1)*plane+c-1]
	if t == 4 {
		s.inputF4(&dst[0], &src[0], c, row, plane)
	} else {
		s.inputF2(&dst[0], &src[0], c, row, plane)
	}
}

// WinogradOutput transforms the products back, Y = Aᵀ·m·A, and ends the layer:
// dst = leaky(Y + bias + res), with leaky(v) = max(v, slope·v), so slope 1
// leaves v as it is. m holds (t+2)² planes, plane apart; of the t×t pixels only
// the first ny rows and nx columns are written. dst and res (nil for none) have
// pixels of c channels and rows row apart.
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
	if t == 4 {
		s.outputF4(&dst[0], &m[0], &bias[0], r, c, row, plane, ny, nx, slope)
	} else {
		s.outputF2(&dst[0], &m[0], &bias[0], r, c, row, plane, ny, nx, slope)
	}
}

// Finish ends a layer for one pixel of c channels: dst = leaky(src + bias +
// res), res nil for none; see [Set.WinogradOutput] for leaky. dst may be src.
func (s *Set) Finish(dst, src, bias, res []float32, c int, slope float32) {
	_, _, _ = dst[c-1], src[c-1], bias[c-1]
	var r *float32
	if res != nil {
		_ = res[c-1]
		r = &res[0]
	}
	s.finish(&dst[0], &src[0], &bias[0], r, c, slope)
}

// MaxPool is the largest of 2×2 pixels of c channels, rows row apart.
func (s *Set) MaxPool(dst, src []float32, c, row int) {
	_, _ = dst[c-1], src[row+2*c-1]
	s.maxPool(&dst[0], &src[0], c, row)
}
