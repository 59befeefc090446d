package kernel

import (
	"math"
	"unsafe"
)

func genericStandardize(dst, src *float32, rows, c int, epsilon float32) {
	out, in := unsafe.Slice(dst, rows*c), unsafe.Slice(src, rows*c)
	for ; len(in) > 0; out, in = out[c:], in[c:] {
		var sum, square float64
		for _, v := range in[:c] {
			sum += float64(v)
		}
		mean := sum / float64(c)
		for _, v := range in[:c] {
			square += (float64(v) - mean) * (float64(v) - mean)
		}
		scale := 1 / math.Sqrt(square/float64(c)+float64(epsilon))
		for i, v := range in[:c] {
			out[i] = float32((float64(v) - mean) * scale)
		}
	}
}

func genericGelu(x, bias *float32, rows, c int) {
	biases := unsafe.Slice(bias, c)
	values := unsafe.Slice(x, rows*c)
	for i, v := range values {
		v := float64(v + biases[i%c])
		values[i] = float32(0.5 * v * (1 + math.Erf(v/math.Sqrt2)))
	}
}

func genericSoftmax(x *float32, rows, n, c int) {
	for all := unsafe.Slice(x, rows*c); len(all) > 0; all = all[c:] {
		row := all[:n]
		top, sum := row[0], 0.0
		for _, v := range row {
			top = max(top, v)
		}
		for i, v := range row {
			row[i] = float32(math.Exp(float64(v - top)))
			sum += float64(row[i])
		}
		for i := range row {
			row[i] = float32(float64(row[i]) / sum)
		}
		clear(all[n:c])
	}
}
