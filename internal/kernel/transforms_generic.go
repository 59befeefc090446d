package kernel

import "unsafe"

var genericTransforms = transforms{
	f2: genericWinograd(2, inputF2, outputF2, filterF2, outputAdjointF2, filterAdjointF2),
	f4: genericWinograd(4, inputF4, outputF4, filterF4, outputAdjointF4, filterAdjointF4),

	normalize:    genericNormalize,
	moments:      genericMoments,
	unleak:       genericUnleak,
	combine:      genericCombine,
	unpool:       genericUnpool,
	standardize:  genericStandardize,
	gelu:         genericGelu,
	softmax:      genericSoftmax,
	scan:         genericScan,
	depthwise:    genericDepthwise,
	depthwiseRow: genericDepthwiseRow,
	largest:      genericLargest,
	clamp:        genericClamp,
	hardSwish:    genericHardSwish,
	quantize:     genericQuantize,
	finishBytes:  genericFinishBytes,
	maxPool:      genericMaxPool,
}

// genericWinograd returns the transforms for F(t×t, 3×3), given their one-dimensional forms.
func genericWinograd(t int, input, output, filter, outputAdjoint, filterAdjoint func(vector) vector) winograd {
	side := t + 2
	return winograd{
		input: func(dst, src *float32, c, row, plane int) {
			genericTransform(side, side, input, dst, src, c, c, row, plane, side*plane)
		},
		output: func(dst, m, bias, res *float32, c, row, plane, ny, nx int, slope float32) {
			genericOutput(t, output, dst, m, bias, res, c, row, plane, ny, nx, slope)
		},
		filter: func(dst, src *float32, c, tap, plane int) {
			genericTransform(3, side, filter, dst, src, c, tap, 3*tap, plane, side*plane)
		},
		outputAdjoint: func(dst, src *float32, c, row, plane int) {
			genericTransform(t, side, outputAdjoint, dst, src, c, c, row, plane, side*plane)
		},
		filterAdjoint: func(dst, src *float32, c, tap, plane int) {
			genericTransform(side, 3, filterAdjoint, dst, src, c, plane, side*plane, tap, 3*tap)
		},
	}
}

type vector [6]float32

// inputF2 is Bᵀ·d for F(2×2, 3×3).
func inputF2(d vector) vector {
	return vector{d[0] - d[2], d[1] + d[2], d[2] - d[1], d[1] - d[3]}
}

// inputF4 is Bᵀ·d for F(4×4, 3×3), points 0, ±1, ±2, ∞.
func inputF4(d vector) vector {
	return vector{
		4*d[0] - 5*d[2] + d[4],
		(d[4] - 4*d[2]) + (d[3] - 4*d[1]),
		(d[4] - 4*d[2]) - (d[3] - 4*d[1]),
		(d[4] - d[2]) + 2*(d[3]-d[1]),
		(d[4] - d[2]) - 2*(d[3]-d[1]),
		4*d[1] - 5*d[3] + d[5],
	}
}

// outputF2 is Aᵀ·m for F(2×2, 3×3).
func outputF2(m vector) vector {
	return vector{m[0] + m[1] + m[2], m[1] - m[2] - m[3]}
}

// outputF4 is Aᵀ·m for F(4×4, 3×3).
func outputF4(m vector) vector {
	sum, diff := m[1]+m[2], m[1]-m[2]
	sum2, diff2 := m[3]+m[4], m[3]-m[4]
	return vector{m[0] + sum + sum2, diff + 2*diff2, sum + 4*sum2, diff + 8*diff2 + m[5]}
}

// filterF2 is G·g for F(2×2, 3×3).
func filterF2(g vector) vector {
	even, odd := 0.5*(g[0]+g[2]), 0.5*g[1]
	return vector{g[0], even + odd, even - odd, g[2]}
}

// filterF4 is G·g for F(4×4, 3×3).
func filterF4(g vector) vector {
	near := -1. / 6 * (g[0] + g[2])
	far, odd := 1./24*g[0]+1./6*g[2], 1./12*g[1]
	return vector{0.25 * g[0], near - 1./6*g[1], near + 1./6*g[1], far + odd, far - odd, g[2]}
}

// outputAdjointF2 is A·y for F(2×2, 3×3).
func outputAdjointF2(y vector) vector { return vector{y[0], y[0] + y[1], y[0] - y[1], -y[1]} }

// outputAdjointF4 is A·y for F(4×4, 3×3).
func outputAdjointF4(y vector) vector {
	even, odd := y[0]+y[2], y[1]+y[3]
	even2, odd2 := y[0]+4*y[2], 2*y[1]+8*y[3]
	return vector{y[0], even + odd, even - odd, even2 + odd2, even2 - odd2, y[3]}
}

// filterAdjointF2 is Gᵀ·u for F(2×2, 3×3).
func filterAdjointF2(u vector) vector {
	sum, diff := 0.5*(u[1]+u[2]), 0.5*(u[1]-u[2])
	return vector{u[0] + sum, diff, sum + u[3]}
}

// filterAdjointF4 is Gᵀ·u for F(4×4, 3×3).
func filterAdjointF4(u vector) vector {
	sum, diff := 1./6*(u[1]+u[2]), 1./6*(u[2]-u[1])
	sum2, diff2 := u[3]+u[4], u[3]-u[4]
	return vector{0.25*u[0] - sum + 1./24*sum2, diff + 1./12*diff2, 1./6*sum2 - sum + u[5]}
}

// genericTransform applies line to the lines and then to the columns of from×from values of c
// channels, and writes to×to values. The X strides are between neighbors in a line, the Y strides
// between lines.
func genericTransform(from, to int, line func(vector) vector, dst, src *float32, c, srcX, srcY, dstX, dstY int) {
	in := unsafe.Slice(src, (from-1)*(srcX+srcY)+c)
	out := unsafe.Slice(dst, (to-1)*(dstX+dstY)+c)
	for ch := range c {
		var t [6]vector
		for y := range from {
			var d vector
			for x := range from {
				d[x] = in[y*srcY+x*srcX+ch]
			}
			t[y] = line(d)
		}
		for x := range to {
			var d vector
			for y := range from {
				d[y] = t[y][x]
			}
			for y, v := range line(d) {
				if y < to {
					out[y*dstY+x*dstX+ch] = v
				}
			}
		}
	}
}

func genericOutput(t int, line func(vector) vector, dst, m, bias, res *float32, c, row, plane, ny, nx int, slope float32) {
	side := t + 2
	in := unsafe.Slice(m, (side*side-1)*plane+c)
	last := (ny-1)*row + nx*c
	out := unsafe.Slice(dst, last)
	var add []float32
	if res != nil {
		add = unsafe.Slice(res, last)
	}
	for ch, b := range unsafe.Slice(bias, c) {
		var w [6]vector
		for y := range side {
			var d vector
			for x := range side {
				d[x] = in[(y*side+x)*plane+ch]
			}
			w[y] = line(d)
		}
		for x := range nx {
			var d vector
			for y := range side {
				d[y] = w[y][x]
			}
			col := line(d)
			for y := range ny {
				at := y*row + x*c + ch
				v := col[y] + b
				if add != nil {
					v += add[at]
				}
				out[at] = max(v, v*slope)
			}
		}
	}
}

func genericMaxPool(dst, src *float32, c, row int) {
	out, in := unsafe.Slice(dst, c), unsafe.Slice(src, row+2*c)
	for i := range out {
		out[i] = max(in[i], in[i+c], in[i+row], in[i+row+c])
	}
}
