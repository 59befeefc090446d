//go:build goexperiment.simd && (amd64 || arm64 || wasm)

package kernel

import "unsafe"

const vectorBuild = true

func vectorTransforms() transforms {
	return transforms{
		f2: winograd{vectorInputF2, vectorOutputF2, vectorFilterF2, vectorOutputAdjointF2, vectorFilterAdjointF2},
		f4: winograd{vectorInputF4, vectorOutputF4, vectorFilterF4, vectorOutputAdjointF4, vectorFilterAdjointF4},

		normalize:    vectorNormalize,
		moments:      vectorMoments,
		unleak:       vectorUnleak,
		combine:      vectorCombine,
		unpool:       vectorUnpool,
		standardize:  vectorStandardize,
		quantize:     vectorQuantize,
		finishBytes:  vectorFinishBytes,
		gelu:         vectorGelu,
		softmax:      vectorSoftmax,
		scan:         vectorScan,
		depthwise:    vectorDepthwise,
		depthwiseRow: vectorDepthwiseRow,
		largest:      vectorLargest,
		clamp:        vectorClamp,
		hardSwish:    vectorHardSwish,
		maxPool:      vectorMaxPool,
	}
}

// fused returns a·b + c, rounded once on arm64, and on amd64 if the processor has FMA. In WebAssembly
// it is a product and a sum, which internal/wasmopt fuses where possible.
func fused(a, b, c vec) vec { return a.MulAdd(b, c) }

func store(p unsafe.Pointer, offset int, v vec) {
	v.StoreArray((*[lanes]float32)(unsafe.Add(p, offset*4)))
}

func vectorInputF2(dstPtr, srcPtr *float32, c, row, plane int) {
	for ch := 0; ch < c; ch += lanes {
		from, dst := unsafe.Add(unsafe.Pointer(srcPtr), ch*4), unsafe.Add(unsafe.Pointer(dstPtr), ch*4)
		var t [4][4]vec
		for y := range 4 {
			src := unsafe.Add(from, y*row*4)
			d0, d1, d2, d3 := load(src, 0), load(src, c), load(src, 2*c), load(src, 3*c)
			t[y][0], t[y][1], t[y][2], t[y][3] = d0.Sub(d2), d1.Add(d2), d2.Sub(d1), d1.Sub(d3)
		}
		for x := range 4 {
			d0, d1, d2, d3 := t[0][x], t[1][x], t[2][x], t[3][x]
			out := unsafe.Add(dst, x*plane*4)
			store(out, 0, d0.Sub(d2))
			store(out, 4*plane, d1.Add(d2))
			store(out, 8*plane, d2.Sub(d1))
			store(out, 12*plane, d1.Sub(d3))
		}
	}
	EndVectors()
}

func vectorOutputF2(dstPtr, mPtr, biasPtr, resPtr *float32, c, row, plane, ny, nx int, slope float32) {
	leak := broadcast(slope)
	for ch := 0; ch < c; ch += lanes {
		from := unsafe.Add(unsafe.Pointer(mPtr), ch*4)
		bias := load(unsafe.Pointer(biasPtr), ch)
		var t [4][2]vec
		for y := range 4 {
			m := unsafe.Add(from, y*4*plane*4)
			m0, m1, m2, m3 := load(m, 0), load(m, plane), load(m, 2*plane), load(m, 3*plane)
			t[y][0], t[y][1] = m0.Add(m1).Add(m2), m1.Sub(m2).Sub(m3)
		}
		for x := range nx {
			m0, m1, m2, m3 := t[0][x], t[1][x], t[2][x], t[3][x]
			at := x*c + ch
			put(dstPtr, resPtr, at, m0.Add(m1).Add(m2).Add(bias), leak)
			if ny > 1 {
				put(dstPtr, resPtr, at+row, m1.Sub(m2).Sub(m3).Add(bias), leak)
			}
		}
	}
	EndVectors()
}

func put(dst, res *float32, at int, v, leak vec) {
	if res != nil {
		v = v.Add(load(unsafe.Pointer(res), at))
	}
	store(unsafe.Pointer(dst), at, v.Max(v.Mul(leak)))
}

// F4 keeps a tile between its two passes in memory instead of variables: it has more lines than
// registers, and the compiler spills arrays that it can analyze less efficiently.

func vectorInputF4(dstPtr, srcPtr *float32, c, row, plane int) {
	var scratch [6 * 6 * lanes]float32
	t := unsafe.Pointer(&scratch)
	four, five, two := broadcast(4), broadcast(5), broadcast(2)
	for ch := 0; ch < c; ch += lanes {
		from := unsafe.Add(unsafe.Pointer(srcPtr), ch*4)
		for y := range 6 {
			src, line := unsafe.Add(from, y*row*4), unsafe.Add(t, y*6*lanes*4)
			d0, d1, d2 := load(src, 0), load(src, c), load(src, 2*c)
			d3, d4, d5 := load(src, 3*c), load(src, 4*c), load(src, 5*c)
			store(line, 0, four.Mul(d0).Sub(five.Mul(d2)).Add(d4))
			even, odd := d4.Sub(four.Mul(d2)), d3.Sub(four.Mul(d1))
			store(line, lanes, even.Add(odd))
			store(line, 2*lanes, even.Sub(odd))
			even, odd = d4.Sub(d2), two.Mul(d3.Sub(d1))
			store(line, 3*lanes, even.Add(odd))
			store(line, 4*lanes, even.Sub(odd))
			store(line, 5*lanes, four.Mul(d1).Sub(five.Mul(d3)).Add(d5))
		}
		dst := unsafe.Add(unsafe.Pointer(dstPtr), ch*4)
		for x := range 6 {
			col := unsafe.Add(t, x*lanes*4)
			d0, d1, d2 := load(col, 0), load(col, 6*lanes), load(col, 12*lanes)
			d3, d4, d5 := load(col, 18*lanes), load(col, 24*lanes), load(col, 30*lanes)
			out, step := unsafe.Add(dst, x*plane*4), 6*plane*4
			store(out, 0, four.Mul(d0).Sub(five.Mul(d2)).Add(d4))
			out = unsafe.Add(out, step)
			even, odd := d4.Sub(four.Mul(d2)), d3.Sub(four.Mul(d1))
			store(out, 0, even.Add(odd))
			out = unsafe.Add(out, step)
			store(out, 0, even.Sub(odd))
			out = unsafe.Add(out, step)
			even, odd = d4.Sub(d2), two.Mul(d3.Sub(d1))
			store(out, 0, even.Add(odd))
			out = unsafe.Add(out, step)
			store(out, 0, even.Sub(odd))
			out = unsafe.Add(out, step)
			store(out, 0, four.Mul(d1).Sub(five.Mul(d3)).Add(d5))
		}
	}
	EndVectors()
}

func vectorOutputF4(dstPtr, mPtr, biasPtr, resPtr *float32, c, row, plane, ny, nx int, slope float32) {
	var scratch [6 * 4 * lanes]float32
	t := unsafe.Pointer(&scratch)
	leak, two, four, eight := broadcast(slope), broadcast(2), broadcast(4), broadcast(8)
	for ch := 0; ch < c; ch += lanes {
		from := unsafe.Add(unsafe.Pointer(mPtr), ch*4)
		for y := range 6 {
			m, line := unsafe.Add(from, y*6*plane*4), unsafe.Add(t, y*4*lanes*4)
			m0, m1, m2 := load(m, 0), load(m, plane), load(m, 2*plane)
			m3, m4, m5 := load(m, 3*plane), load(m, 4*plane), load(m, 5*plane)
			sum, diff, sum2, diff2 := m1.Add(m2), m1.Sub(m2), m3.Add(m4), m3.Sub(m4)
			store(line, 0, m0.Add(sum).Add(sum2))
			store(line, lanes, diff.Add(two.Mul(diff2)))
			store(line, 2*lanes, sum.Add(four.Mul(sum2)))
			store(line, 3*lanes, diff.Add(eight.Mul(diff2)).Add(m5))
		}
		bias := load(unsafe.Pointer(biasPtr), ch)
		for x := range nx {
			col := unsafe.Add(t, x*lanes*4)
			m0, m1, m2 := load(col, 0), load(col, 4*lanes), load(col, 8*lanes)
			m3, m4, m5 := load(col, 12*lanes), load(col, 16*lanes), load(col, 20*lanes)
			sum, diff, sum2, diff2 := m1.Add(m2), m1.Sub(m2), m3.Add(m4), m3.Sub(m4)
			at := x*c + ch
			put(dstPtr, resPtr, at, m0.Add(sum).Add(sum2).Add(bias), leak)
			if ny > 1 {
				put(dstPtr, resPtr, at+row, diff.Add(two.Mul(diff2)).Add(bias), leak)
			}
			if ny > 2 {
				put(dstPtr, resPtr, at+2*row, sum.Add(four.Mul(sum2)).Add(bias), leak)
			}
			if ny > 3 {
				put(dstPtr, resPtr, at+3*row, diff.Add(eight.Mul(diff2)).Add(m5).Add(bias), leak)
			}
		}
	}
	EndVectors()
}

func vectorFilterF2(dstPtr, srcPtr *float32, c, tap, plane int) {
	half := broadcast(0.5)
	for ch := 0; ch < c; ch += lanes {
		from, dst := unsafe.Add(unsafe.Pointer(srcPtr), ch*4), unsafe.Add(unsafe.Pointer(dstPtr), ch*4)
		var t [3][4]vec
		for y := range 3 {
			src := unsafe.Add(from, y*3*tap*4)
			g0, g1, g2 := load(src, 0), load(src, tap), load(src, 2*tap)
			even, odd := half.Mul(g0.Add(g2)), half.Mul(g1)
			t[y][0], t[y][1], t[y][2], t[y][3] = g0, even.Add(odd), even.Sub(odd), g2
		}
		for x := range 4 {
			g0, g1, g2 := t[0][x], t[1][x], t[2][x]
			out := unsafe.Add(dst, x*plane*4)
			even, odd := half.Mul(g0.Add(g2)), half.Mul(g1)
			store(out, 0, g0)
			store(out, 4*plane, even.Add(odd))
			store(out, 8*plane, even.Sub(odd))
			store(out, 12*plane, g2)
		}
	}
	EndVectors()
}

func vectorFilterF4(dstPtr, srcPtr *float32, c, tap, plane int) {
	var scratch [3 * 6 * lanes]float32
	t := unsafe.Pointer(&scratch)
	quarter, sixth, twelfth, twentyfourth := broadcast(1./4), broadcast(1./6), broadcast(1./12), broadcast(1./24)
	for ch := 0; ch < c; ch += lanes {
		from, dst := unsafe.Add(unsafe.Pointer(srcPtr), ch*4), unsafe.Add(unsafe.Pointer(dstPtr), ch*4)
		for y := range 3 {
			src, line := unsafe.Add(from, y*3*tap*4), unsafe.Add(t, y*6*lanes*4)
			g0, g1, g2 := load(src, 0), load(src, tap), load(src, 2*tap)
			near, middle := sixth.Mul(g0.Add(g2)), sixth.Mul(g1)
			far, odd := twentyfourth.Mul(g0).Add(sixth.Mul(g2)), twelfth.Mul(g1)
			store(line, 0, quarter.Mul(g0))
			store(line, lanes, near.Add(middle).Neg())
			store(line, 2*lanes, middle.Sub(near))
			store(line, 3*lanes, far.Add(odd))
			store(line, 4*lanes, far.Sub(odd))
			store(line, 5*lanes, g2)
		}
		for x := range 6 {
			col := unsafe.Add(t, x*lanes*4)
			g0, g1, g2 := load(col, 0), load(col, 6*lanes), load(col, 12*lanes)
			out := unsafe.Add(dst, x*plane*4)
			near, middle := sixth.Mul(g0.Add(g2)), sixth.Mul(g1)
			far, odd := twentyfourth.Mul(g0).Add(sixth.Mul(g2)), twelfth.Mul(g1)
			store(out, 0, quarter.Mul(g0))
			store(out, 6*plane, near.Add(middle).Neg())
			store(out, 12*plane, middle.Sub(near))
			store(out, 18*plane, far.Add(odd))
			store(out, 24*plane, far.Sub(odd))
			store(out, 30*plane, g2)
		}
	}
	EndVectors()
}

func vectorMaxPool(dst, srcPtr *float32, c, row int) {
	src := unsafe.Pointer(srcPtr)
	for ch := 0; ch < c; ch += lanes {
		top := load(src, ch).Max(load(src, ch+c))
		bottom := load(src, ch+row).Max(load(src, ch+row+c))
		store(unsafe.Pointer(dst), ch, top.Max(bottom))
	}
	EndVectors()
}
