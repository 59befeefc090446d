package kernel

import (
	"math"
	"unsafe"
)

func genericUngelu(g, x *float32, n int) {
	gradients := unsafe.Slice(g, n)
	for i, v := range unsafe.Slice(x, n) {
		v := float64(v)
		below := 0.5 * math.Erfc(-v/math.Sqrt2)
		density := math.Exp(-v*v/2) / math.Sqrt(2*math.Pi)
		gradients[i] = float32(float64(gradients[i]) * (below + v*density))
	}
}

func genericUnstandardize(g, y, inverse *float32, rows, c int) {
	gradients, values := unsafe.Slice(g, rows*c), unsafe.Slice(y, rows*c)
	for _, scale := range unsafe.Slice(inverse, rows) {
		sum, product := 0.0, 0.0
		for i, v := range gradients[:c] {
			sum += float64(v)
			product += float64(v) * float64(values[i])
		}
		sum, product = sum/float64(c), product/float64(c)
		for i, v := range gradients[:c] {
			gradients[i] = scale * float32(float64(v)-sum-product*float64(values[i]))
		}
		gradients, values = gradients[c:], values[c:]
	}
}

func genericUnsoftmax(g, p *float32, rows, c int, scale float32) {
	gradients, shares := unsafe.Slice(g, rows*c), unsafe.Slice(p, rows*c)
	for range rows {
		sum := 0.0
		for i, v := range gradients[:c] {
			sum += float64(v) * float64(shares[i])
		}
		for i, v := range gradients[:c] {
			gradients[i] = scale * shares[i] * (v - float32(sum))
		}
		gradients, shares = gradients[c:], shares[c:]
	}
}
