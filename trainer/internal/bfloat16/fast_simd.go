//go:build goexperiment.simd && (amd64 || arm64)

package bfloat16

import (
	"unsafe"

	"github.com/deepemd/deepemd/internal/kernel"
)

var fast = &Kernels{
	emit:        fastEmit,
	emitThrough: fastEmitThrough,
	normalize:   fastNormalize,
	join:        fastJoin,
	pool:        fastPool,
	unpool:      fastUnpool,
	interleave:  fastInterleave,
	pairs:       fastPairs,
	spread:      fastSpread,
}

// The loops process a vector of each row of a chunk, so that the values of the vector's channels stay
// in registers, and the chunk in the nearest cache.

func pointer[T uint32 | float32](s []T) unsafe.Pointer { return unsafe.Pointer(&s[0]) }

// from returns a pointer to the value at an offset.
func from[T uint32 | float32](s []T, offset int) unsafe.Pointer { return unsafe.Pointer(&s[offset]) }

// store writes words, and storeFloats floats, at an offset in values: the reverse of load and loadFloats.
func store(p unsafe.Pointer, offset int, v pack) {
	v.StoreArray((*[lanes]uint32)(unsafe.Add(p, offset*4)))
}

func storeFloats(p unsafe.Pointer, offset int, v vec) {
	v.StoreArray((*[lanes]float32)(unsafe.Add(p, offset*4)))
}

func even(w pack) vec        { return w.ShiftAllLeft(16).BitsToFloat32() }
func odd(w, upper pack) vec  { return w.And(upper).BitsToFloat32() }
func upperHalf() pack        { return every(0xffff0000) }
func leaky(v, slope vec) vec { return v.Max(v.Mul(slope)) }

// evens and odds are the even and odd channels of the part of a row that begins at a word.
func (c *channels) evens(part int) vec { return loadFloats(unsafe.Pointer(c), part) }
func (c *channels) odds(part int) vec  { return loadFloats(unsafe.Pointer(c), words+part) }

func (c *channels) set(part int, e, o vec) {
	storeFloats(unsafe.Pointer(c), part, e)
	storeFloats(unsafe.Pointer(c), words+part, o)
}

func (c *channels) add(part int, e, o vec) { c.set(part, c.evens(part).Add(e), c.odds(part).Add(o)) }

// rounding rounds to bfloat16 like kernel.RoundBFloat16.
type rounding struct{ half, one, upper pack }

func newRounding() rounding { return rounding{every(0x7fff), every(1), upperHalf()} }

func (r rounding) pair(e, o vec) pack {
	a, b := e.ToBits(), o.ToBits()
	a = a.Add(a.ShiftAllRight(16).And(r.one)).Add(r.half).ShiftAllRight(16)
	b = b.Add(b.ShiftAllRight(16).And(r.one)).Add(r.half).And(r.upper)
	return a.Or(b)
}

func fastEmit(dst []uint32, c []float32, valid int, m *moments) {
	_ = c[len(dst)/words*blockChannels-1]
	valid = max(min(valid, len(dst)/words), 0)
	r := newRounding()
	for part := 0; part < words; part += lanes {
		d, s := from(dst, part), from(c, part)
		var sumE, sumO, squareE, squareO vec
		for i := range valid {
			at := i * blockChannels
			e, o := loadFloats(s, at), loadFloats(s, at+words)
			store(d, i*words, r.pair(e, o))
			sumE, sumO = sumE.Add(e), sumO.Add(o)
			squareE, squareO = e.MulAdd(e, squareE), o.MulAdd(o, squareO)
		}
		if m != nil {
			m[0].add(part, sumE, sumO)
			m[1].add(part, squareE, squareO)
		}
	}
	clear(dst[valid*words:])
	kernel.EndVectors()
}

func fastEmitThrough(dst []uint32, c []float32, y, z []uint32, valid int, slope float32, m *moments) {
	n := len(dst)
	_, _, _ = c[n/words*blockChannels-1], y[n-1], z[n-1]
	valid = max(min(valid, n/words), 0)
	r, leak, zero := newRounding(), broadcast(slope), broadcast(0)
	for part := 0; part < words; part += lanes {
		d, s, py, pz := from(dst, part), from(c, part), from(y, part), from(z, part)
		var sumE, sumO, productE, productO vec
		for i := range valid {
			at := i * blockChannels
			e, o := loadFloats(s, at), loadFloats(s, at+words)
			wy, wz := load(py, i*words), load(pz, i*words)
			e = e.Mul(leak).IfElse(even(wy).Less(zero), e)
			o = o.Mul(leak).IfElse(odd(wy, r.upper).Less(zero), o)
			store(d, i*words, r.pair(e, o))
			sumE, sumO = sumE.Add(e), sumO.Add(o)
			productE, productO = e.MulAdd(even(wz), productE), o.MulAdd(odd(wz, r.upper), productO)
		}
		m[0].add(part, sumE, sumO)
		m[1].add(part, productE, productO)
	}
	clear(dst[valid*words:])
	kernel.EndVectors()
}

func fastNormalize(dst, z []uint32, p *[2]channels, slope float32) {
	_ = dst[len(z)-1]
	d, s, r, leak := pointer(dst), pointer(z), newRounding(), broadcast(slope)
	for start := 0; start < len(z); start += chunk {
		for part := 0; part < words; part += lanes {
			scaleE, scaleO, shiftE, shiftO := p[0].evens(part), p[0].odds(part), p[1].evens(part), p[1].odds(part)
			for i := start + part; i < min(start+chunk, len(z)); i += words {
				w := load(s, i)
				e, o := even(w).MulAdd(scaleE, shiftE), odd(w, r.upper).MulAdd(scaleO, shiftO)
				store(d, i, r.pair(leaky(e, leak), leaky(o, leak)))
			}
		}
	}
	kernel.EndVectors()
}

func fastJoin(dst, z, s []uint32, p *[3]channels, slope float32) {
	_, _ = dst[len(z)-1], s[len(z)-1]
	d, pz, ps, r, leak := pointer(dst), pointer(z), pointer(s), newRounding(), broadcast(slope)
	for start := 0; start < len(z); start += chunk {
		for part := 0; part < words; part += lanes {
			aE, aO, bE, bO, kE, kO := p[0].evens(part), p[0].odds(part), p[1].evens(part), p[1].odds(part), p[2].evens(part), p[2].odds(part)
			for i := start + part; i < min(start+chunk, len(z)); i += words {
				w, v := load(pz, i), load(ps, i)
				e := even(w).MulAdd(aE, even(v).MulAdd(bE, kE))
				o := odd(w, r.upper).MulAdd(aO, odd(v, r.upper).MulAdd(bO, kO))
				store(d, i, r.pair(leaky(e, leak), leaky(o, leak)))
			}
		}
	}
	kernel.EndVectors()
}

func fastPool(dst, a, b, c, d []uint32) {
	n := len(dst)
	_, _, _, _ = a[n-1], b[n-1], c[n-1], d[n-1]
	to, pa, pb, pc, pd, upper := pointer(dst), pointer(a), pointer(b), pointer(c), pointer(d), upperHalf()
	for i := 0; i < n; i += lanes {
		wa, wb, wc, wd := load(pa, i), load(pb, i), load(pc, i), load(pd, i)
		e := even(wa).Max(even(wb)).Max(even(wc).Max(even(wd)))
		o := odd(wa, upper).Max(odd(wb, upper)).Max(odd(wc, upper).Max(odd(wd, upper)))
		store(to, i, e.ToBits().ShiftAllRight(16).Or(o.ToBits()))
	}
	kernel.EndVectors()
}

func fastUnpool(dst *[4][]uint32, g []uint32, sum, z, s *[4][]uint32, slope float32, m *[3]channels) {
	n := len(g)
	leak, zero, upper := broadcast(slope), broadcast(0), upperHalf()
	pg := pointer(g)
	s0, s1, s2, s3 := pointer(sum[0][:n]), pointer(sum[1][:n]), pointer(sum[2][:n]), pointer(sum[3][:n])
	for part := 0; part < words; part += lanes {
		var gE, gO, zE, zO, sE, sO vec
		for i := part; i < n; i += words {
			w, w0, w1, w2, w3 := load(pg, i), load(s0, i), load(s1, i), load(s2, i), load(s3, i)
			maxE := even(w0).Max(even(w1)).Max(even(w2).Max(even(w3)))
			maxO := odd(w0, upper).Max(odd(w1, upper)).Max(odd(w2, upper).Max(odd(w3, upper)))
			e, o := even(w), odd(w, upper)
			e = e.Mul(leak).IfElse(maxE.Less(zero), e)
			o = o.Mul(leak).IfElse(maxO.Less(zero), o)
			gE, gO = gE.Add(e), gO.Add(o)
			for k, ws := range [4]pack{w0, w1, w2, w3} {
				hitE, hitO := even(ws).Equal(maxE), odd(ws, upper).Equal(maxO)
				giveE, giveO := e.Masked(hitE), o.Masked(hitO)
				// Only the first largest pixel gets the gradient.
				e, o = zero.IfElse(hitE, e), zero.IfElse(hitO, o)
				wz, wv := load(pointer(z[k]), i), load(pointer(s[k]), i)
				zE, zO = giveE.MulAdd(even(wz), zE), giveO.MulAdd(odd(wz, upper), zO)
				sE, sO = giveE.MulAdd(even(wv), sE), giveO.MulAdd(odd(wv, upper), sO)
				r := newRounding()
				store(pointer(dst[k]), i, r.pair(giveE, giveO))
			}
		}
		m[0].add(part, gE, gO)
		m[1].add(part, zE, zO)
		m[2].add(part, sE, sO)
	}
	kernel.EndVectors()
}

func fastInterleave(dst, src []uint32) {
	_ = dst[chunk-1]
	d, s, lower, upper := pointer(dst), pointer(src), every(0xffff), upperHalf()
	for i := 0; i < len(src)/2; i += lanes {
		term, part := i/words, i%words
		first, second := load(s, 2*term*words+part), load(s, (2*term+1)*words+part)
		store(d, i, first.And(lower).Or(second.ShiftAllLeft(16)))
		store(d, chunk/2+i, first.ShiftAllRight(16).Or(second.And(upper)))
	}
	kernel.EndVectors()
}

func fastPairs(dst []uint32, src []float32, stride int) {
	_, _ = dst[chunk-1], src[(group-1)*stride+blockChannels-1]
	d, s, r, unzip := pointer(dst), pointer(src), newRounding(), newUnzip()
	for i := 0; i < chunk/2; i += lanes {
		first := 2*(i/words)*stride + 2*(i%words)
		second := first + stride
		firstE, firstO := unzip.of(loadFloats(s, first), loadFloats(s, first+lanes))
		secondE, secondO := unzip.of(loadFloats(s, second), loadFloats(s, second+lanes))
		store(d, i, r.pair(firstE, secondE))
		store(d, chunk/2+i, r.pair(firstO, secondO))
	}
	kernel.EndVectors()
}

func fastSpread(dst []float32, stride int, c []float32) {
	_, _ = dst[(group-1)*stride+blockChannels-1], c[sums-1]
	zip := newZip()
	for part := 0; part < words; part += lanes {
		d, s := from(dst, 2*part), from(c, part)
		for i := range group {
			at, to := i*blockChannels, (i%16*2+i/16)*stride
			a, b := zip.of(loadFloats(s, at), loadFloats(s, at+words))
			storeFloats(d, to, a)
			storeFloats(d, to+lanes, b)
		}
	}
	kernel.EndVectors()
}
