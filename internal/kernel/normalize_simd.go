//go:build goexperiment.simd && (amd64 || arm64 || wasm)

package kernel

import "unsafe"

// The loops process one vec of channels for all pixels of the row, so that channel parameters stay
// in registers.

func vectorNormalize(dst, src, scale, shift, res *float32, pixels, c int, slope float32) {
	leak := broadcast(slope)
	for ch := 0; ch < c; ch += lanes {
		factor, offset := load(unsafe.Pointer(scale), ch), load(unsafe.Pointer(shift), ch)
		for at := ch; at < pixels*c; at += c {
			put(dst, res, at, load(unsafe.Pointer(src), at).Mul(factor).Add(offset), leak)
		}
	}
	EndVectors()
}

func vectorMoments(sum, product, x, y *float32, pixels, c int) {
	for ch := 0; ch < c; ch += lanes {
		s, p := load(unsafe.Pointer(sum), ch), load(unsafe.Pointer(product), ch)
		for at := ch; at < pixels*c; at += c {
			v := load(unsafe.Pointer(x), at)
			s = s.Add(v)
			p = p.Add(v.Mul(load(unsafe.Pointer(y), at)))
		}
		store(unsafe.Pointer(sum), ch, s)
		store(unsafe.Pointer(product), ch, p)
	}
	EndVectors()
}

func vectorUnleak(g, y *float32, pixels, c int, slope float32) {
	leak, zero := broadcast(slope), broadcast(0)
	for at := 0; at < pixels*c; at += lanes {
		v := load(unsafe.Pointer(g), at)
		positive := load(unsafe.Pointer(y), at).Greater(zero)
		store(unsafe.Pointer(g), at, v.IfElse(positive, v.Mul(leak)))
	}
	EndVectors()
}

func vectorCombine(dst, g, z, a, b, k *float32, pixels, c int) {
	for ch := 0; ch < c; ch += lanes {
		va, vb, vk := load(unsafe.Pointer(a), ch), load(unsafe.Pointer(b), ch), load(unsafe.Pointer(k), ch)
		for at := ch; at < pixels*c; at += c {
			v := va.Mul(load(unsafe.Pointer(g), at)).Add(vb.Mul(load(unsafe.Pointer(z), at))).Add(vk)
			store(unsafe.Pointer(dst), at, v)
		}
	}
	EndVectors()
}

func vectorUnpool(dst, g, srcPtr *float32, c, row int) {
	src, zero := unsafe.Pointer(srcPtr), broadcast(0)
	for ch := 0; ch < c; ch += lanes {
		v := load(unsafe.Pointer(g), ch)
		s0, s1, s2, s3 := load(src, ch), load(src, ch+c), load(src, ch+row), load(src, ch+row+c)
		best := s0.Max(s1).Max(s2.Max(s3))
		// The first pixel with the maximum takes the gradient.
		out := unsafe.Pointer(dst)
		take := s0.Equal(best)
		store(out, ch, v.IfElse(take, zero))
		v = zero.IfElse(take, v)
		take = s1.Equal(best)
		store(out, ch+c, v.IfElse(take, zero))
		v = zero.IfElse(take, v)
		take = s2.Equal(best)
		store(out, ch+row, v.IfElse(take, zero))
		store(out, ch+row+c, zero.IfElse(take, v))
	}
	EndVectors()
}
