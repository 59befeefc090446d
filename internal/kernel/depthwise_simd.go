//go:build goexperiment.simd && (amd64 || arm64 || wasm)

package kernel

import "unsafe"

func vectorDepthwise(dst, src, w, bias *float32, taps []Tap, c int) {
	for ch := 0; ch < c; ch += 2 * lanes {
		first, second := load(unsafe.Pointer(bias), ch), load(unsafe.Pointer(bias), ch+lanes)
		for _, t := range taps {
			pixel, weight := t.Offset+ch, t.Number*c+ch
			first = first.Add(load(unsafe.Pointer(src), pixel).Mul(load(unsafe.Pointer(w), weight)))
			second = second.Add(load(unsafe.Pointer(src), pixel+lanes).Mul(load(unsafe.Pointer(w), weight+lanes)))
		}
		store(unsafe.Pointer(dst), ch, first)
		store(unsafe.Pointer(dst), ch+lanes, second)
	}
	EndVectors()
}

// vectorDepthwiseRow keeps the filters of a vec of channels in registers and reads each column of
// the rows once: it contributes to three adjacent output pixels.
func vectorDepthwiseRow(dst, top, middle, bottom, w, bias *float32, width, stride, c int, least, most float32) {
	low, high := broadcast(least), broadcast(most)
	for ch := 0; ch < c; ch += lanes {
		filter, out := unsafe.Pointer(w), unsafe.Add(unsafe.Pointer(dst), ch*4)
		w00, w01, w02 := load(filter, ch), load(filter, ch+c), load(filter, ch+2*c)
		w10, w11, w12 := load(filter, ch+3*c), load(filter, ch+4*c), load(filter, ch+5*c)
		w20, w21, w22 := load(filter, ch+6*c), load(filter, ch+7*c), load(filter, ch+8*c)
		offset := load(unsafe.Pointer(bias), ch)
		a, b, d := load(unsafe.Pointer(top), ch), load(unsafe.Pointer(middle), ch), load(unsafe.Pointer(bottom), ch)
		sum := fused(w21, d, fused(w11, b, fused(w01, a, offset)))
		if stride == 1 {
			next := fused(w20, d, fused(w10, b, fused(w00, a, offset)))
			for at := ch + c; at < width*c; at += c {
				a, b, d := load(unsafe.Pointer(top), at), load(unsafe.Pointer(middle), at), load(unsafe.Pointer(bottom), at)
				sum = fused(w22, d, fused(w12, b, fused(w02, a, sum)))
				store(out, 0, sum.Max(low).Min(high))
				out = unsafe.Add(out, c*4)
				sum = fused(w21, d, fused(w11, b, fused(w01, a, next)))
				next = fused(w20, d, fused(w10, b, fused(w00, a, offset)))
			}
			store(out, 0, sum.Max(low).Min(high))
			continue
		}
		for at := ch + c; ; at += 2 * c {
			if at >= width*c {
				store(out, 0, sum.Max(low).Min(high))
				break
			}
			a, b, d := load(unsafe.Pointer(top), at), load(unsafe.Pointer(middle), at), load(unsafe.Pointer(bottom), at)
			sum = fused(w22, d, fused(w12, b, fused(w02, a, sum)))
			store(out, 0, sum.Max(low).Min(high))
			if at+c >= width*c {
				break
			}
			out = unsafe.Add(out, c*4)
			sum = fused(w20, d, fused(w10, b, fused(w00, a, offset)))
			a, b, d = load(unsafe.Pointer(top), at+c), load(unsafe.Pointer(middle), at+c), load(unsafe.Pointer(bottom), at+c)
			sum = fused(w21, d, fused(w11, b, fused(w01, a, sum)))
		}
	}
	EndVectors()
}

func vectorLargest(dst, src *float32, taps []Tap, c int) {
	for ch := 0; ch < c; ch += 2 * lanes {
		at := taps[0].Offset + ch
		first, second := load(unsafe.Pointer(src), at), load(unsafe.Pointer(src), at+lanes)
		for _, t := range taps[1:] {
			first = first.Max(load(unsafe.Pointer(src), t.Offset+ch))
			second = second.Max(load(unsafe.Pointer(src), t.Offset+ch+lanes))
		}
		store(unsafe.Pointer(dst), ch, first)
		store(unsafe.Pointer(dst), ch+lanes, second)
	}
	EndVectors()
}

func vectorClamp(x *float32, n int, most float32) {
	zero, top := broadcast(0), broadcast(most)
	for at := 0; at < n; at += lanes {
		store(unsafe.Pointer(x), at, load(unsafe.Pointer(x), at).Max(zero).Min(top))
	}
	EndVectors()
}

func vectorHardSwish(x *float32, n int) {
	zero, three, six, sixth := broadcast(0), broadcast(3), broadcast(6), broadcast(1./6)
	for at := 0; at < n; at += lanes {
		v := load(unsafe.Pointer(x), at)
		store(unsafe.Pointer(x), at, v.Mul(v.Add(three).Max(zero).Min(six)).Mul(sixth))
	}
	EndVectors()
}
