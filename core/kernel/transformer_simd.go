//go:build goexperiment.simd && (amd64 || arm64 || wasm)

package kernel

import (
	"math"
	"unsafe"
)

// total is the sum of a vec's lanes.
func total(v vec) float32 {
	var lane [lanes]float32
	v.StoreArray(&lane)
	sum := float32(0)
	for _, x := range lane {
		sum += x
	}
	return sum
}

// top is the largest of a vec's lanes.
func top(v vec) float32 {
	var lane [lanes]float32
	v.StoreArray(&lane)
	most := lane[0]
	for _, x := range lane[1:] {
		if x > most {
			most = x
		}
	}
	return most
}

func vectorStandardize(dst, src *float32, rows, c int, epsilon float32) {
	for row := range rows {
		out, in := unsafe.Add(unsafe.Pointer(dst), row*c*4), unsafe.Add(unsafe.Pointer(src), row*c*4)
		sum := broadcast(0)
		for ch := 0; ch < c; ch += lanes {
			sum = sum.Add(load(in, ch))
		}
		mean := broadcast(total(sum) / float32(c))
		square := broadcast(0)
		for ch := 0; ch < c; ch += lanes {
			d := load(in, ch).Sub(mean)
			square = square.Add(d.Mul(d))
		}
		scale := broadcast(float32(1 / math.Sqrt(float64(total(square)/float32(c)+epsilon))))
		for ch := 0; ch < c; ch += lanes {
			store(out, ch, load(in, ch).Sub(mean).Mul(scale))
		}
	}
}

// exponential is e^x to 2e-7 of it, for x up to 88; below -87 it is next to nothing.
// x = n·ln 2 + r with |r| ≤ ln 2 / 2, e^r is the polynomial of degree 5 that is nearest to it,
// and 2^n goes to the exponent's bits. Added to half of the numbers with as many bits as
// the mantissa has, a number becomes whole, and its lowest bits are its integer.
func exponential(x vec) vec {
	const mantissa, whole = 23, 3 << 22
	// The bits of negative floats are the larger the further they are from zero, and comparing
	// whole numbers takes WebAssembly fewer instructions.
	x = x.ToBits().Min(broadcast(-87).ToBits()).BitsToFloat32()
	shifted := fused(x, broadcast(math.Log2E), broadcast(whole))
	n := shifted.Sub(broadcast(whole))
	// ln 2 in two parts, the first of which has few enough bits that n times it is exact.
	const high, low = 0.693359375, -2.12194440e-4
	r := fused(n, broadcast(-low), fused(n, broadcast(-high), x))
	p := fused(r, broadcast(0.00829758955), broadcast(0.0419153068))
	p = fused(p, r, broadcast(0.166675751))
	p = fused(p, r, broadcast(0.499988956))
	p = fused(p, r, broadcast(0.999999692))
	p = fused(p, r, broadcast(1.00000007))
	return p.ToBits().Add(shifted.ToBits().ShiftAllLeft(mantissa)).BitsToFloat32()
}

// vectorGelu has Φ(x) = 1/2 + x·P(x²)/Q(x²), of degrees 4 and 5 and nearest to it for |x| up
// to 5.2, from where on Φ is 0 or 1 to 1e-7; what is below comes to 0.
func vectorGelu(x, bias *float32, rows, c int) {
	start, end, zero, half, one := broadcast(-5.2), broadcast(5.2), broadcast(0), broadcast(0.5), broadcast(1)
	for ch := 0; ch < c; ch += lanes {
		offset := load(unsafe.Pointer(bias), ch)
		for at := ch; at < rows*c; at += c {
			v := load(unsafe.Pointer(x), at).Add(offset)
			t := v.Min(end).Max(start)
			u := t.Mul(t)
			p := fused(u, broadcast(5.8402326e-06), broadcast(0.000314240114))
			p = fused(p, u, broadcast(0.00551858369))
			p = fused(p, u, broadcast(0.0495914476))
			p = fused(p, u, broadcast(0.398941917))
			q := fused(u, broadcast(5.01871541e-07), broadcast(0.000112732189))
			q = fused(q, u, broadcast(0.00270361452))
			q = fused(q, u, broadcast(0.037338614))
			q = fused(q, u, broadcast(0.290968092))
			q = fused(q, u, one)
			store(unsafe.Pointer(x), at, v.Mul(fused(t, p.Div(q), half).IfElse(v.Greater(start), zero)))
		}
	}
}

func vectorSoftmax(x *float32, rows, n, c int) {
	wide := (n + lanes - 1) / lanes * lanes
	for i := range rows {
		row := unsafe.Add(unsafe.Pointer(x), i*c*4)
		values := unsafe.Slice((*float32)(row), c)
		// What is past the end counts as next to nothing.
		for i := n; i < wide; i++ {
			values[i] = float32(math.Inf(-1))
		}
		tops := load(row, 0)
		for ch := lanes; ch < wide; ch += lanes {
			tops = tops.Max(load(row, ch))
		}
		most := broadcast(top(tops))
		sum := broadcast(0)
		for ch := 0; ch < wide; ch += lanes {
			e := exponential(load(row, ch).Sub(most))
			store(row, ch, e)
			sum = sum.Add(e)
		}
		scale := broadcast(1 / total(sum))
		for ch := 0; ch < wide; ch += lanes {
			store(row, ch, load(row, ch).Mul(scale))
		}
		clear(values[n:])
	}
}
