package kernel

import (
	"math"
	"unsafe"
)

func bytePanelGeneric(width, rows, k int, a *uint8, b *int8, sums *int32) {
	as, bs, all := unsafe.Slice(a, rows*k), unsafe.Slice(b, k*width), unsafe.Slice(sums, rows*width)
	for ; len(as) > 0; as, all = as[k:], all[width:] {
		row := all[:width]
		clear(row)
		for i := 0; i < k; i += quad {
			x := (*[quad]uint8)(as[i:])
			x0, x1, x2, x3 := int32(x[0]), int32(x[1]), int32(x[2]), int32(x[3])
			columns := bs[i*width:]
			for j := range row {
				w := (*[quad]int8)(columns[j*quad:])
				row[j] += x0*int32(w[0]) + x1*int32(w[1]) + x2*int32(w[2]) + x3*int32(w[3])
			}
		}
	}
}

func genericQuantize(dst *uint8, low, step, src *float32, rows, c, stride int) {
	out, in := unsafe.Slice(dst, rows*c), unsafe.Slice(src, (rows-1)*stride+c)
	lows, steps := unsafe.Slice(low, rows), unsafe.Slice(step, rows)
	for row := range rows {
		values := in[row*stride:][:c]
		least, most := values[0], values[0]
		for _, v := range values {
			least, most = min(least, v), max(most, v)
		}
		var inverse float32
		lows[row], steps[row], inverse = grid(least, most)
		for i, v := range values {
			out[row*c+termPosition(i)] = uint8(math.Float32bits(float32((v-least)*inverse)+rounds) & MaxActivation)
		}
	}
}

// rounds plus a small number has the nearest integer of that number in its lowest bits.
const rounds = 1 << 23

// grid returns low and step for a row of values from least to most (see [Set.Quantize]), and the
// inverse of step.
func grid(least, most float32) (low, step, inverse float32) {
	if !(most > least) {
		return least, 0, 0
	}
	return least, (most - least) / MaxActivation, MaxActivation / (most - least)
}

func genericFinishBytes(dst *float32, stride int, sums *int32, rows, width int, low, step, scale, total, bias *float32, add bool, slope float32) {
	out, all := unsafe.Slice(dst, (rows-1)*stride+width), unsafe.Slice(sums, rows*width)
	lows, steps := unsafe.Slice(low, rows), unsafe.Slice(step, rows)
	scales, totals, biases := unsafe.Slice(scale, width), unsafe.Slice(total, width), unsafe.Slice(bias, width)
	for row := range rows {
		for j, sum := range all[row*width:][:width] {
			v := scales[j]*steps[row]*float32(sum) + lows[row]*totals[j] + biases[j]
			to := &out[row*stride+j]
			if add {
				v += *to
			}
			*to = max(v, slope*v)
		}
	}
}
