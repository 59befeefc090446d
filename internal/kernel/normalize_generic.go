package kernel

import "unsafe"

func genericNormalize(dst, src, scale, shift, res *float32, pixels, c int, slope float32) {
	out, in := unsafe.Slice(dst, pixels*c), unsafe.Slice(src, pixels*c)
	factor, offset := unsafe.Slice(scale, c), unsafe.Slice(shift, c)
	for i, v := range in {
		v = v*factor[i%c] + offset[i%c]
		if res != nil {
			v += unsafe.Slice(res, pixels*c)[i]
		}
		out[i] = max(v, v*slope)
	}
}

func genericMoments(sum, product, x, y *float32, pixels, c int) {
	sums, products := unsafe.Slice(sum, c), unsafe.Slice(product, c)
	ys := unsafe.Slice(y, pixels*c)
	for i, v := range unsafe.Slice(x, pixels*c) {
		sums[i%c] += v
		products[i%c] += v * ys[i]
	}
}

func genericUnleak(g, y *float32, pixels, c int, slope float32) {
	ys := unsafe.Slice(y, pixels*c)
	for i, v := range unsafe.Slice(g, pixels*c) {
		if !(ys[i] > 0) {
			unsafe.Slice(g, pixels*c)[i] = v * slope
		}
	}
}

func genericCombine(dst, g, z, a, b, k *float32, pixels, c int) {
	out, gs, zs := unsafe.Slice(dst, pixels*c), unsafe.Slice(g, pixels*c), unsafe.Slice(z, pixels*c)
	as, bs, ks := unsafe.Slice(a, c), unsafe.Slice(b, c), unsafe.Slice(k, c)
	for i := range out {
		out[i] = as[i%c]*gs[i] + bs[i%c]*zs[i] + ks[i%c]
	}
}

func genericUnpool(dst, g, src *float32, c, row int) {
	out, in := unsafe.Slice(dst, row+2*c), unsafe.Slice(src, row+2*c)
	for i, v := range unsafe.Slice(g, c) {
		places := [4]int{i, i + c, i + row, i + row + c}
		best := places[0]
		for _, p := range places {
			if in[p] > in[best] {
				best = p
			}
			out[p] = 0
		}
		out[best] = v
	}
}
