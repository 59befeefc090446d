//go:build goexperiment.simd && (amd64 || wasm)

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
}

func vectorClamp(x *float32, n int, most float32) {
	zero, top := broadcast(0), broadcast(most)
	for at := 0; at < n; at += lanes {
		store(unsafe.Pointer(x), at, load(unsafe.Pointer(x), at).Max(zero).Min(top))
	}
}

func vectorHardSwish(x *float32, n int) {
	zero, three, six, sixth := broadcast(0), broadcast(3), broadcast(6), broadcast(1./6)
	for at := 0; at < n; at += lanes {
		v := load(unsafe.Pointer(x), at)
		store(unsafe.Pointer(x), at, v.Mul(v.Add(three).Max(zero).Min(six)).Mul(sixth))
	}
}
