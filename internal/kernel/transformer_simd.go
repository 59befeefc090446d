//go:build goexperiment.simd && (amd64 || arm64 || wasm)

package kernel

import (
	"math"
	"unsafe"
)

// total returns the sum of a vec's lanes in every lane, and top the largest. sumOf and largestOf
// are separate functions, so that the upper halves of the vector registers are clear while scalar
// code runs, see [EndVectors].
func total(v vec) vec {
	var lane [lanes]float32
	v.StoreArray(&lane)
	return broadcast(sumOf(&lane))
}

func top(v vec) vec {
	var lane [lanes]float32
	v.StoreArray(&lane)
	return broadcast(largestOf(&lane))
}

//go:noinline
func sumOf(lane *[lanes]float32) (sum float32) {
	EndVectors()
	for i := range lane {
		sum += lane[i]
	}
	return sum
}

//go:noinline
func largestOf(lane *[lanes]float32) float32 {
	EndVectors()
	most := lane[0]
	for i := range lane {
		if lane[i] > most {
			most = lane[i]
		}
	}
	return most
}

func vectorStandardize(dst, src *float32, rows, c int, epsilon float32) {
	count, one, least := broadcast(float32(c)), broadcast(1), broadcast(epsilon)
	for row := range rows {
		out, in := unsafe.Add(unsafe.Pointer(dst), row*c*4), unsafe.Add(unsafe.Pointer(src), row*c*4)
		sum := broadcast(0)
		for ch := 0; ch < c; ch += lanes {
			sum = sum.Add(load(in, ch))
		}
		mean := total(sum).Div(count)
		square := broadcast(0)
		for ch := 0; ch < c; ch += lanes {
			d := load(in, ch).Sub(mean)
			square = square.Add(d.Mul(d))
		}
		scale := one.Div(total(square).Div(count).Add(least).Sqrt())
		for ch := 0; ch < c; ch += lanes {
			store(out, ch, load(in, ch).Sub(mean).Mul(scale))
		}
	}
	EndVectors()
}

// exponential computes e^x with a relative error of 2e-7 for x up to 88; below -87 the result is
// almost 0. With x = n·ln 2 + r and |r| ≤ ln 2 / 2, e^r is the minimax polynomial of degree 5, and
// n is added to the exponent bits. Adding 1.5·2^23 rounds to an integer, which is then in the
// lowest bits.
//
// Its constants are broadcast once for many values: each takes five instructions on arm64.
type exponential struct {
	least, turns, whole    vec
	high, low              vec
	p5, p4, p3, p2, p1, p0 vec
}

func newExponential() exponential {
	const whole = 3 << 22
	// ln 2 in two parts. The first has so few bits that n times it is exact.
	const high, low = 0.693359375, -2.12194440e-4
	return exponential{
		least: broadcast(-87), turns: broadcast(math.Log2E), whole: broadcast(whole),
		high: broadcast(-high), low: broadcast(-low),
		p5: broadcast(0.00829758955), p4: broadcast(0.0419153068), p3: broadcast(0.166675751),
		p2: broadcast(0.499988956), p1: broadcast(0.999999692), p0: broadcast(1.00000007),
	}
}

func (e *exponential) of(x vec) vec {
	const mantissa = 23
	// The bits of negative floats grow with their distance from zero, and comparing integers takes
	// fewer instructions in WebAssembly.
	x = x.ToBits().Min(e.least.ToBits()).BitsToFloat32()
	shifted := fused(x, e.turns, e.whole)
	n := shifted.Sub(e.whole)
	r := fused(n, e.low, fused(n, e.high, x))
	p := fused(r, e.p5, e.p4)
	p = fused(p, r, e.p3)
	p = fused(p, r, e.p2)
	p = fused(p, r, e.p1)
	p = fused(p, r, e.p0)
	return p.ToBits().Add(shifted.ToBits().ShiftAllLeft(mantissa)).BitsToFloat32()
}

// vectorGelu computes Φ(x) = 1/2 + x·P(x²)/Q(x²), the minimax quotient of degrees 4 and 5 for |x|
// up to 5.2. Beyond, Φ is 0 or 1 to 1e-7; smaller x give 0.
func vectorGelu(x, bias *float32, rows, c int) {
	start, end, zero, half, one := broadcast(-5.2), broadcast(5.2), broadcast(0), broadcast(0.5), broadcast(1)
	p4, p3, p2, p1, p0 := broadcast(5.8402326e-06), broadcast(0.000314240114), broadcast(0.00551858369), broadcast(0.0495914476), broadcast(0.398941917)
	q5, q4, q3, q2, q1 := broadcast(5.01871541e-07), broadcast(0.000112732189), broadcast(0.00270361452), broadcast(0.037338614), broadcast(0.290968092)
	for ch := 0; ch < c; ch += lanes {
		offset := load(unsafe.Pointer(bias), ch)
		for at := ch; at < rows*c; at += c {
			v := load(unsafe.Pointer(x), at).Add(offset)
			t := v.Min(end).Max(start)
			u := t.Mul(t)
			p := fused(fused(fused(fused(u, p4, p3), u, p2), u, p1), u, p0)
			q := fused(fused(fused(fused(fused(u, q5, q4), u, q3), u, q2), u, q1), u, one)
			store(unsafe.Pointer(x), at, v.Mul(fused(t, p.Div(q), half).IfElse(v.Greater(start), zero)))
		}
	}
	EndVectors()
}

// minusInfinity is -∞ in bits: scalar code near vectors must not use floats, see [EndVectors].
const minusInfinity = 0xff800000

func vectorSoftmax(x *float32, rows, n, c int) {
	exp, one := newExponential(), broadcast(1)
	wide := (n + lanes - 1) / lanes * lanes
	for i := range rows {
		row := unsafe.Add(unsafe.Pointer(x), i*c*4)
		values := unsafe.Slice((*uint32)(row), c)
		for i := n; i < wide; i++ {
			values[i] = minusInfinity
		}
		tops := load(row, 0)
		for ch := lanes; ch < wide; ch += lanes {
			tops = tops.Max(load(row, ch))
		}
		most := top(tops)
		sum := broadcast(0)
		for ch := 0; ch < wide; ch += lanes {
			e := exp.of(load(row, ch).Sub(most))
			store(row, ch, e)
			sum = sum.Add(e)
		}
		scale := one.Div(total(sum))
		for ch := 0; ch < wide; ch += lanes {
			store(row, ch, load(row, ch).Mul(scale))
		}
		clear(values[n:])
	}
	EndVectors()
}
