//go:build goexperiment.simd && (amd64 || arm64 || wasm)

package kernel

import "unsafe"

func vectorOutputAdjointF2(dstPtr, srcPtr *float32, c, row, plane int) {
	zero := broadcast(0)
	for ch := 0; ch < c; ch += lanes {
		src, dst := unsafe.Add(unsafe.Pointer(srcPtr), ch*4), unsafe.Add(unsafe.Pointer(dstPtr), ch*4)
		for x := range 4 {
			// One column of the first pass, y·Aᵀ, for both rows.
			var d0, d1 vec
			a0, a1, b0, b1 := load(src, 0), load(src, c), load(src, row), load(src, row+c)
			switch x {
			case 0:
				d0, d1 = a0, b0
			case 1:
				d0, d1 = a0.Add(a1), b0.Add(b1)
			case 2:
				d0, d1 = a0.Sub(a1), b0.Sub(b1)
			default:
				d0, d1 = zero.Sub(a1), zero.Sub(b1)
			}
			out := unsafe.Add(dst, x*plane*4)
			store(out, 0, d0)
			store(out, 4*plane, d0.Add(d1))
			store(out, 8*plane, d0.Sub(d1))
			store(out, 12*plane, zero.Sub(d1))
		}
	}
	EndVectors()
}

func vectorOutputAdjointF4(dstPtr, srcPtr *float32, c, row, plane int) {
	var scratch [4 * 6 * lanes]float32
	t := unsafe.Pointer(&scratch)
	two, four := broadcast(2), broadcast(4)
	for ch := 0; ch < c; ch += lanes {
		from, dst := unsafe.Add(unsafe.Pointer(srcPtr), ch*4), unsafe.Add(unsafe.Pointer(dstPtr), ch*4)
		for y := range 4 {
			src, line := unsafe.Add(from, y*row*4), unsafe.Add(t, y*6*lanes*4)
			y0, y1, y2, y3 := load(src, 0), load(src, c), load(src, 2*c), load(src, 3*c)
			even, odd := y0.Add(y2), y1.Add(y3)
			store(line, 0, y0)
			store(line, lanes, even.Add(odd))
			store(line, 2*lanes, even.Sub(odd))
			even, odd = y0.Add(four.Mul(y2)), two.Mul(y1.Add(four.Mul(y3)))
			store(line, 3*lanes, even.Add(odd))
			store(line, 4*lanes, even.Sub(odd))
			store(line, 5*lanes, y3)
		}
		for x := range 6 {
			col := unsafe.Add(t, x*lanes*4)
			y0, y1, y2, y3 := load(col, 0), load(col, 6*lanes), load(col, 12*lanes), load(col, 18*lanes)
			out := unsafe.Add(dst, x*plane*4)
			even, odd := y0.Add(y2), y1.Add(y3)
			store(out, 0, y0)
			store(out, 6*plane, even.Add(odd))
			store(out, 12*plane, even.Sub(odd))
			even, odd = y0.Add(four.Mul(y2)), two.Mul(y1.Add(four.Mul(y3)))
			store(out, 18*plane, even.Add(odd))
			store(out, 24*plane, even.Sub(odd))
			store(out, 30*plane, y3)
		}
	}
	EndVectors()
}

func vectorFilterAdjointF2(dstPtr, srcPtr *float32, c, tap, plane int) {
	half := broadcast(0.5)
	for ch := 0; ch < c; ch += lanes {
		from, dst := unsafe.Add(unsafe.Pointer(srcPtr), ch*4), unsafe.Add(unsafe.Pointer(dstPtr), ch*4)
		var t [4][3]vec
		for y := range 4 {
			src := unsafe.Add(from, y*4*plane*4)
			u0, u1, u2, u3 := load(src, 0), load(src, plane), load(src, 2*plane), load(src, 3*plane)
			sum, diff := half.Mul(u1.Add(u2)), half.Mul(u1.Sub(u2))
			t[y][0], t[y][1], t[y][2] = u0.Add(sum), diff, sum.Add(u3)
		}
		for x := range 3 {
			u0, u1, u2, u3 := t[0][x], t[1][x], t[2][x], t[3][x]
			sum, diff := half.Mul(u1.Add(u2)), half.Mul(u1.Sub(u2))
			out := unsafe.Add(dst, x*tap*4)
			store(out, 0, u0.Add(sum))
			store(out, 3*tap, diff)
			store(out, 6*tap, sum.Add(u3))
		}
	}
	EndVectors()
}

func vectorFilterAdjointF4(dstPtr, srcPtr *float32, c, tap, plane int) {
	var scratch [6 * 3 * lanes]float32
	t := unsafe.Pointer(&scratch)
	quarter, sixth, twelfth, twentyfourth := broadcast(1./4), broadcast(1./6), broadcast(1./12), broadcast(1./24)
	for ch := 0; ch < c; ch += lanes {
		from, dst := unsafe.Add(unsafe.Pointer(srcPtr), ch*4), unsafe.Add(unsafe.Pointer(dstPtr), ch*4)
		for y := range 6 {
			src, line := unsafe.Add(from, y*6*plane*4), unsafe.Add(t, y*3*lanes*4)
			u0, u1, u2 := load(src, 0), load(src, plane), load(src, 2*plane)
			u3, u4, u5 := load(src, 3*plane), load(src, 4*plane), load(src, 5*plane)
			sum, diff, sum2, diff2 := sixth.Mul(u1.Add(u2)), sixth.Mul(u2.Sub(u1)), u3.Add(u4), u3.Sub(u4)
			store(line, 0, quarter.Mul(u0).Sub(sum).Add(twentyfourth.Mul(sum2)))
			store(line, lanes, diff.Add(twelfth.Mul(diff2)))
			store(line, 2*lanes, sixth.Mul(sum2).Sub(sum).Add(u5))
		}
		for x := range 3 {
			col := unsafe.Add(t, x*lanes*4)
			u0, u1, u2 := load(col, 0), load(col, 3*lanes), load(col, 6*lanes)
			u3, u4, u5 := load(col, 9*lanes), load(col, 12*lanes), load(col, 15*lanes)
			sum, diff, sum2, diff2 := sixth.Mul(u1.Add(u2)), sixth.Mul(u2.Sub(u1)), u3.Add(u4), u3.Sub(u4)
			out := unsafe.Add(dst, x*tap*4)
			store(out, 0, quarter.Mul(u0).Sub(sum).Add(twentyfourth.Mul(sum2)))
			store(out, 3*tap, diff.Add(twelfth.Mul(diff2)))
			store(out, 6*tap, sixth.Mul(sum2).Sub(sum).Add(u5))
		}
	}
	EndVectors()
}
