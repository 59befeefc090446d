//go:build goexperiment.simd

package bfloat16

import (
	"simd/archsimd"
	"unsafe"
)

const vectorBuild = true

var fast = &Kernels{
	emit:        fastEmit,
	emitThrough: fastEmitThrough,
	normalize:   fastNormalize,
	join:        fastJoin,
	pool:        fastPool,
	unpool:      fastUnpool,
	combine:     fastCombine,
	interleave:  fastInterleave,
	halves:      fastHalves,
	pairs:       fastPairs,
	spread:      fastSpread,
}

type (
	vec = archsimd.Float32x16
	row = archsimd.Uint32x16
)

func pointer[T uint32 | float32](s []T) unsafe.Pointer { return unsafe.Pointer(&s[0]) }

// load and store move a row's words at an offset in words.
func load(p unsafe.Pointer, offset int) row {
	return archsimd.LoadUint32x16Array((*[words]uint32)(unsafe.Add(p, offset*4)))
}

func store(p unsafe.Pointer, offset int, v row) {
	v.StoreArray((*[words]uint32)(unsafe.Add(p, offset*4)))
}

func loadFloats(p unsafe.Pointer, offset int) vec {
	return archsimd.LoadFloat32x16Array((*[16]float32)(unsafe.Add(p, offset*4)))
}

func storeFloats(p unsafe.Pointer, offset int, v vec) {
	v.StoreArray((*[16]float32)(unsafe.Add(p, offset*4)))
}

func even(w row) vec         { return w.ShiftAllLeft(16).BitsToFloat32() }
func odd(w, upper row) vec   { return w.And(upper).BitsToFloat32() }
func evens(c *channels) vec  { return loadFloats(unsafe.Pointer(c), 0) }
func odds(c *channels) vec   { return loadFloats(unsafe.Pointer(c), words) }
func upperHalf() row         { return archsimd.BroadcastUint32x16(0xffff0000) }
func leaky(v, slope vec) vec { return v.Max(v.Mul(slope)) }
func zeros() vec             { return archsimd.BroadcastFloat32x16(0) }
func (c *channels) set(e, o vec) {
	storeFloats(unsafe.Pointer(c), 0, e)
	storeFloats(unsafe.Pointer(c), words, o)
}

// rounding rounds to bfloat16 as round does.
type rounding struct{ half, one, upper row }

func newRounding() rounding {
	return rounding{archsimd.BroadcastUint32x16(0x7fff), archsimd.BroadcastUint32x16(1), upperHalf()}
}

func (r rounding) pair(e, o vec) row {
	a, b := e.ToBits(), o.ToBits()
	a = a.Add(a.ShiftAllRight(16).And(r.one)).Add(r.half).ShiftAllRight(16)
	b = b.Add(b.ShiftAllRight(16).And(r.one)).Add(r.half).And(r.upper)
	return a.Or(b)
}

func fastEmit(dst []uint32, c []float32, valid int, m *moments) {
	_, _ = dst[chunk-1], c[sums-1]
	valid = min(valid, group)
	d, s, r := pointer(dst), pointer(c), newRounding()
	sumE, sumO, squareE, squareO := zeros(), zeros(), zeros(), zeros()
	for i := range max(valid, 0) {
		at := i * blockChannels
		e, o := loadFloats(s, at), loadFloats(s, at+words)
		store(d, i*words, r.pair(e, o))
		sumE, sumO = sumE.Add(e), sumO.Add(o)
		squareE, squareO = e.MulAdd(e, squareE), o.MulAdd(o, squareO)
	}
	if valid < group {
		clear(dst[max(valid, 0)*words : chunk])
	}
	if m != nil {
		m[0].set(evens(&m[0]).Add(sumE), odds(&m[0]).Add(sumO))
		m[1].set(evens(&m[1]).Add(squareE), odds(&m[1]).Add(squareO))
	}
}

func fastEmitThrough(dst []uint32, c []float32, y, z []uint32, valid int, slope float32, m *moments) {
	_, _, _, _ = dst[chunk-1], c[sums-1], y[chunk-1], z[chunk-1]
	valid = min(valid, group)
	d, s, py, pz, r := pointer(dst), pointer(c), pointer(y), pointer(z), newRounding()
	leak, zero := archsimd.BroadcastFloat32x16(slope), zeros()
	sumE, sumO, productE, productO := zeros(), zeros(), zeros(), zeros()
	for i := range max(valid, 0) {
		at := i * blockChannels
		e, o := loadFloats(s, at), loadFloats(s, at+words)
		wy, wz := load(py, i*words), load(pz, i*words)
		e = e.Mul(leak).IfElse(even(wy).Less(zero), e)
		o = o.Mul(leak).IfElse(odd(wy, r.upper).Less(zero), o)
		store(d, i*words, r.pair(e, o))
		sumE, sumO = sumE.Add(e), sumO.Add(o)
		productE, productO = e.MulAdd(even(wz), productE), o.MulAdd(odd(wz, r.upper), productO)
	}
	if valid < group {
		clear(dst[max(valid, 0)*words : chunk])
	}
	m[0].set(evens(&m[0]).Add(sumE), odds(&m[0]).Add(sumO))
	m[1].set(evens(&m[1]).Add(productE), odds(&m[1]).Add(productO))
}

func fastNormalize(dst, z []uint32, p *[2]channels, slope float32) {
	_ = dst[len(z)-1]
	d, s, r, leak := pointer(dst), pointer(z), newRounding(), archsimd.BroadcastFloat32x16(slope)
	scaleE, scaleO, shiftE, shiftO := evens(&p[0]), odds(&p[0]), evens(&p[1]), odds(&p[1])
	for i := 0; i < len(z); i += words {
		w := load(s, i)
		e, o := even(w).MulAdd(scaleE, shiftE), odd(w, r.upper).MulAdd(scaleO, shiftO)
		store(d, i, r.pair(leaky(e, leak), leaky(o, leak)))
	}
}

func fastJoin(dst, z, s []uint32, p *[3]channels, slope float32) {
	_, _ = dst[len(z)-1], s[len(z)-1]
	d, pz, ps, r, leak := pointer(dst), pointer(z), pointer(s), newRounding(), archsimd.BroadcastFloat32x16(slope)
	aE, aO, bE, bO, kE, kO := evens(&p[0]), odds(&p[0]), evens(&p[1]), odds(&p[1]), evens(&p[2]), odds(&p[2])
	for i := 0; i < len(z); i += words {
		w, v := load(pz, i), load(ps, i)
		e := even(w).MulAdd(aE, even(v).MulAdd(bE, kE))
		o := odd(w, r.upper).MulAdd(aO, odd(v, r.upper).MulAdd(bO, kO))
		store(d, i, r.pair(leaky(e, leak), leaky(o, leak)))
	}
}

func fastPool(dst, a, b, c, d []uint32) {
	n := len(dst)
	_, _, _, _ = a[n-1], b[n-1], c[n-1], d[n-1]
	to, pa, pb, pc, pd, upper := pointer(dst), pointer(a), pointer(b), pointer(c), pointer(d), upperHalf()
	for i := 0; i < n; i += words {
		wa, wb, wc, wd := load(pa, i), load(pb, i), load(pc, i), load(pd, i)
		e := even(wa).Max(even(wb)).Max(even(wc).Max(even(wd)))
		o := odd(wa, upper).Max(odd(wb, upper)).Max(odd(wc, upper).Max(odd(wd, upper)))
		store(to, i, e.ToBits().ShiftAllRight(16).Or(o.ToBits()))
	}
}

func fastUnpool(dst *[4][]uint32, g []uint32, sum, z, s *[4][]uint32, slope float32, m *[3]channels) {
	n := len(g)
	leak, zero, upper := archsimd.BroadcastFloat32x16(slope), zeros(), upperHalf()
	pg := pointer(g)
	s0, s1, s2, s3 := pointer(sum[0][:n]), pointer(sum[1][:n]), pointer(sum[2][:n]), pointer(sum[3][:n])
	gE, gO, zE, zO, sE, sO := evens(&m[0]), odds(&m[0]), evens(&m[1]), odds(&m[1]), evens(&m[2]), odds(&m[2])
	for i := 0; i < n; i += words {
		w, w0, w1, w2, w3 := load(pg, i), load(s0, i), load(s1, i), load(s2, i), load(s3, i)
		maxE := even(w0).Max(even(w1)).Max(even(w2).Max(even(w3)))
		maxO := odd(w0, upper).Max(odd(w1, upper)).Max(odd(w2, upper).Max(odd(w3, upper)))
		e, o := even(w), odd(w, upper)
		e = e.Mul(leak).IfElse(maxE.Less(zero), e)
		o = o.Mul(leak).IfElse(maxO.Less(zero), o)
		gE, gO = gE.Add(e), gO.Add(o)
		for k, ws := range [4]row{w0, w1, w2, w3} {
			hitE, hitO := even(ws).Equal(maxE), odd(ws, upper).Equal(maxO)
			giveE, giveO := e.Masked(hitE), o.Masked(hitO)
			// What was given once is gone.
			e, o = zero.IfElse(hitE, e), zero.IfElse(hitO, o)
			wz, wv := load(pointer(z[k]), i), load(pointer(s[k]), i)
			zE, zO = giveE.MulAdd(even(wz), zE), giveO.MulAdd(odd(wz, upper), zO)
			sE, sO = giveE.MulAdd(even(wv), sE), giveO.MulAdd(odd(wv, upper), sO)
			r := newRounding()
			store(pointer(dst[k]), i, r.pair(giveE, giveO))
		}
	}
	m[0].set(gE, gO)
	m[1].set(zE, zO)
	m[2].set(sE, sO)
}

func fastCombine(dst, g, z []uint32, p *[3]channels) {
	_, _ = dst[len(g)-1], z[len(g)-1]
	d, pg, pz, r := pointer(dst), pointer(g), pointer(z), newRounding()
	aE, aO, bE, bO, kE, kO := evens(&p[0]), odds(&p[0]), evens(&p[1]), odds(&p[1]), evens(&p[2]), odds(&p[2])
	for i := 0; i < len(g); i += words {
		w, v := load(pg, i), load(pz, i)
		e := even(w).MulAdd(aE, even(v).MulAdd(bE, kE))
		o := odd(w, r.upper).MulAdd(aO, odd(v, r.upper).MulAdd(bO, kO))
		store(d, i, r.pair(e, o))
	}
}

func fastInterleave(dst, src []uint32) {
	_, _ = dst[chunk-1], src[chunk-1]
	d, s, upper := pointer(dst), pointer(src), upperHalf()
	lower := archsimd.BroadcastUint32x16(0xffff)
	for term := range group / 2 {
		first, second := load(s, 2*term*words), load(s, (2*term+1)*words)
		store(d, term*16, first.And(lower).Or(second.ShiftAllLeft(16)))
		store(d, (16+term)*16, first.ShiftAllRight(16).Or(second.And(upper)))
	}
}

// Where the even and the odd of two vectors lie, and back.
var (
	evenAt = [16]uint32{0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30}
	oddAt  = [16]uint32{1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31}
	backLo = [16]uint32{0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23}
	backHi = [16]uint32{8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31}
)

func fastHalves(dst []uint32, src []float32, stride int) {
	_, _ = dst[chunk-1], src[(group-1)*stride+blockChannels-1]
	d, s, r := pointer(dst), pointer(src), newRounding()
	evenIndex, oddIndex := archsimd.LoadUint32x16Array(&evenAt), archsimd.LoadUint32x16Array(&oddAt)
	for i := range group {
		a, b := loadFloats(s, i*stride), loadFloats(s, i*stride+16)
		store(d, i*words, r.pair(a.ConcatPermute(b, evenIndex), a.ConcatPermute(b, oddIndex)))
	}
}

func fastPairs(dst []uint32, src []float32, stride int) {
	_, _ = dst[chunk-1], src[(group-1)*stride+blockChannels-1]
	d, s, r := pointer(dst), pointer(src), newRounding()
	evenIndex, oddIndex := archsimd.LoadUint32x16Array(&evenAt), archsimd.LoadUint32x16Array(&oddAt)
	for term := range group / 2 {
		a, b := loadFloats(s, 2*term*stride), loadFloats(s, 2*term*stride+16)
		e, f := loadFloats(s, (2*term+1)*stride), loadFloats(s, (2*term+1)*stride+16)
		store(d, term*16, r.pair(a.ConcatPermute(b, evenIndex), e.ConcatPermute(f, evenIndex)))
		store(d, (16+term)*16, r.pair(a.ConcatPermute(b, oddIndex), e.ConcatPermute(f, oddIndex)))
	}
}

func fastSpread(dst []float32, stride int, c []float32) {
	_, _ = dst[(group-1)*stride+blockChannels-1], c[sums-1]
	d, s := pointer(dst), pointer(c)
	lo, hi := archsimd.LoadUint32x16Array(&backLo), archsimd.LoadUint32x16Array(&backHi)
	for i := range group {
		e, o := loadFloats(s, i*blockChannels), loadFloats(s, i*blockChannels+words)
		to := (i%16*2 + i/16) * stride
		storeFloats(d, to, e.ConcatPermute(o, lo))
		storeFloats(d, to+16, e.ConcatPermute(o, hi))
	}
}
