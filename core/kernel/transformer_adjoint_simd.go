//go:build goexperiment.simd && (amd64 || arm64 || wasm)

package kernel

import (
	"math"
	"unsafe"
)

// vectorUngelu has Φ as [vectorGelu] has it, and shares the exponential with φ.
func vectorUngelu(g, x *float32, n int) {
	zero, one, half := broadcast(0), broadcast(1), broadcast(0.5)
	density, root, third := broadcast(float32(1/math.Sqrt(2*math.Pi))), broadcast(1/math.Sqrt2), broadcast(0.3275911)
	p5, p4, p3, p2, p1 := broadcast(1.061405429), broadcast(-1.453152027), broadcast(1.421413741), broadcast(-0.284496736), broadcast(0.254829592)
	exp := newExponential()
	for at := 0; at < n; at += lanes {
		v := load(unsafe.Pointer(x), at)
		z := v.Max(zero.Sub(v)).Mul(root)
		t := one.Div(z.Mul(third).Add(one))
		p := t.Mul(p5).Add(p4).Mul(t).Add(p3).Mul(t).Add(p2).Mul(t).Add(p1)
		e := exp.of(zero.Sub(z.Mul(z)))
		tail := p.Mul(t).Mul(e).Mul(half)
		below := one.Sub(tail).IfElse(v.Greater(zero), tail)
		store(unsafe.Pointer(g), at, load(unsafe.Pointer(g), at).Mul(below.Add(v.Mul(e).Mul(density))))
	}
	EndVectors()
}

func vectorUnstandardize(g, y, inverse *float32, rows, c int) {
	gradients, values := unsafe.Pointer(g), unsafe.Pointer(y)
	count := broadcast(float32(c))
	for _, scale := range unsafe.Slice(inverse, rows) {
		sums, products := broadcast(0), broadcast(0)
		for ch := 0; ch < c; ch += lanes {
			v := load(gradients, ch)
			sums = sums.Add(v)
			products = products.Add(v.Mul(load(values, ch)))
		}
		sum, product := total(sums).Div(count), total(products).Div(count)
		factor := broadcast(scale)
		for ch := 0; ch < c; ch += lanes {
			store(gradients, ch, load(gradients, ch).Sub(sum).Sub(product.Mul(load(values, ch))).Mul(factor))
		}
		gradients, values = unsafe.Add(gradients, c*4), unsafe.Add(values, c*4)
	}
	EndVectors()
}

func vectorUnsoftmax(g, p *float32, rows, c int, scale float32) {
	gradients, shares := unsafe.Pointer(g), unsafe.Pointer(p)
	factor := broadcast(scale)
	for ; rows > 0; rows-- {
		sums := broadcast(0)
		for ch := 0; ch < c; ch += lanes {
			sums = sums.Add(load(gradients, ch).Mul(load(shares, ch)))
		}
		sum := total(sums)
		for ch := 0; ch < c; ch += lanes {
			store(gradients, ch, load(gradients, ch).Sub(sum).Mul(load(shares, ch)).Mul(factor))
		}
		gradients, shares = unsafe.Add(gradients, c*4), unsafe.Add(shares, c*4)
	}
	EndVectors()
}
