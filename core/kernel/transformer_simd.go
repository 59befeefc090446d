//go:build goexperiment.simd && (amd64 || wasm)

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
	for _, x := range lane {
		most = max(most, x)
	}
	return most
}

func vectorStandardize(dst, src *float32, rows, c int, epsilon float32) {
	out, in := unsafe.Pointer(dst), unsafe.Pointer(src)
	for ; rows > 0; rows-- {
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
		out, in = unsafe.Add(out, c*4), unsafe.Add(in, c*4)
	}
}

// exponential is e^x to 2e-7 of it, for x up to 88; below -87 it is next to nothing.
// x = n·ln 2 + r with |r| ≤ ln 2 / 2, e^r is its Taylor polynomial of degree 6, and 2^n
// goes to the exponent's bits.
func exponential(x vec) vec {
	// The bits of negative floats are the larger the further they are from zero. Comparing
	// and converting them as whole numbers takes WebAssembly fewer instructions.
	x = x.ToBits().Min(broadcast(-87).ToBits()).BitsToFloat32()
	n := x.Mul(broadcast(math.Log2E)).Round()
	// ln 2 in two parts, the first of which has few enough bits that n times it is exact.
	const high, low = 0.693359375, -2.12194440e-4
	r := x.Sub(n.Mul(broadcast(high))).Sub(n.Mul(broadcast(low)))
	p := r.Mul(broadcast(1. / 720)).Add(broadcast(1. / 120))
	p = p.Mul(r).Add(broadcast(1. / 24))
	p = p.Mul(r).Add(broadcast(1. / 6))
	p = p.Mul(r).Add(broadcast(1. / 2))
	p = p.Mul(r).Add(broadcast(1))
	p = p.Mul(r).Add(broadcast(1))
	const mantissa = 23
	// The lowest bits of n plus a large number are those of n as a whole number.
	const large = 3 << (mantissa - 1)
	return p.ToBits().Add(n.Add(broadcast(large)).ToBits().ShiftAllLeft(mantissa)).BitsToFloat32()
}

// vectorGelu is x/2 · (1 + erf(x/√2)), with erf by Abramowitz & Stegun, 7.1.26, whose
// error is at most 1.5e-7.
func vectorGelu(x, bias *float32, rows, c int) {
	zero, one, half := broadcast(0), broadcast(1), broadcast(0.5)
	magnitude := broadcast(math.Float32frombits(1<<31 - 1)).ToBits()
	for ch := 0; ch < c; ch += lanes {
		offset := load(unsafe.Pointer(bias), ch)
		for at := ch; at < rows*c; at += c {
			v := load(unsafe.Pointer(x), at).Add(offset)
			z := v.ToBits().And(magnitude).BitsToFloat32().Mul(broadcast(1 / math.Sqrt2))
			t := one.Div(z.Mul(broadcast(0.3275911)).Add(one))
			p := t.Mul(broadcast(1.061405429)).Add(broadcast(-1.453152027))
			p = p.Mul(t).Add(broadcast(1.421413741))
			p = p.Mul(t).Add(broadcast(-0.284496736))
			p = p.Mul(t).Add(broadcast(0.254829592))
			// Half of 1 − erf z, which is what v loses above zero, and keeps below.
			tail := p.Mul(t).Mul(exponential(zero.Sub(z.Mul(z)))).Mul(half)
			store(unsafe.Pointer(x), at, v.Mul(one.Sub(tail).IfElse(v.Greater(zero), tail)))
		}
	}
}

func vectorSoftmax(x *float32, rows, n, c int) {
	whole := n / lanes * lanes
	row := unsafe.Pointer(x)
	for ; rows > 0; rows-- {
		values := unsafe.Slice((*float32)(row), c)
		// What is past the end counts as nothing.
		for i := n; i < c; i++ {
			values[i] = float32(math.Inf(-1))
		}
		tops := load(row, 0)
		for ch := lanes; ch < c; ch += lanes {
			tops = tops.Max(load(row, ch))
		}
		most := broadcast(top(tops))
		sum := broadcast(0)
		for ch := 0; ch < whole; ch += lanes {
			e := exponential(load(row, ch).Sub(most))
			store(row, ch, e)
			sum = sum.Add(e)
		}
		all := total(sum)
		if whole < n {
			e := exponential(load(row, whole).Sub(most))
			store(row, whole, e)
			for _, v := range values[whole:n] {
				all += v
			}
		}
		clear(values[n:])
		scale := broadcast(1 / all)
		for ch := 0; ch < c; ch += lanes {
			store(row, ch, load(row, ch).Mul(scale))
		}
		row = unsafe.Add(row, c*4)
	}
}
