//go:build goexperiment.simd && (amd64 || wasm)

package kernel

import (
	"simd/archsimd"
	"unsafe"
)

func vectorQuantize(dst *uint8, low, step, src *float32, rows, c, stride int) {
	out, in := unsafe.Pointer(dst), unsafe.Pointer(src)
	lows, steps := unsafe.Slice(low, rows), unsafe.Slice(step, rows)
	// Half a step more, so that cutting fractions off rounds.
	half := archsimd.BroadcastFloat32x4(0.5)
	for row := range rows {
		least, most := load(in, 0), load(in, 0)
		for ch := lanes; ch < c; ch += lanes {
			v := load(in, ch)
			least, most = least.Min(v), most.Max(v)
		}
		var inverse float32
		lows[row], steps[row], inverse = grid(bottom(least), top(most))
		first, all := archsimd.BroadcastFloat32x4(lows[row]), archsimd.BroadcastFloat32x4(inverse)
		for ch := 0; ch < c; ch += Lanes {
			v := (*[Lanes]float32)(unsafe.Add(in, ch*4))
			a := archsimd.LoadFloat32x4Array((*[4]float32)(v[0:])).Sub(first).Mul(all).Add(half).ConvertToInt32().ToBits()
			b := archsimd.LoadFloat32x4Array((*[4]float32)(v[4:])).Sub(first).Mul(all).Add(half).ConvertToInt32().ToBits()
			c := archsimd.LoadFloat32x4Array((*[4]float32)(v[8:])).Sub(first).Mul(all).Add(half).ConvertToInt32().ToBits()
			d := archsimd.LoadFloat32x4Array((*[4]float32)(v[12:])).Sub(first).Mul(all).Add(half).ConvertToInt32().ToBits()
			words := a.Or(b.ShiftAllLeft(8)).Or(c.ShiftAllLeft(16)).Or(d.ShiftAllLeft(24))
			words.And(archsimd.BroadcastUint32x4(0x7f7f7f7f)).StoreArray((*[4]uint32)(unsafe.Add(out, ch)))
		}
		out, in = unsafe.Add(out, c), unsafe.Add(in, stride*4)
	}
}

// bottom is the smallest of a vec's lanes.
func bottom(v vec) float32 { return -top(broadcast(0).Sub(v)) }

func vectorFinishBytes(dst *float32, stride int, sums *int32, rows, width int, low, step, scale, total, bias *float32, add bool, slope float32) {
	lows, steps := unsafe.Slice(low, rows), unsafe.Slice(step, rows)
	leak := broadcast(slope)
	for ch := 0; ch < width; ch += lanes {
		scales, totals, biases := load(unsafe.Pointer(scale), ch), load(unsafe.Pointer(total), ch), load(unsafe.Pointer(bias), ch)
		for row := range rows {
			sum := load(unsafe.Pointer(sums), row*width+ch).ToBits().BitsToInt32().ConvertToFloat32()
			v := sum.Mul(scales.Mul(broadcast(steps[row]))).Add(totals.Mul(broadcast(lows[row]))).Add(biases)
			if add {
				v = v.Add(load(unsafe.Pointer(dst), row*stride+ch))
			}
			store(unsafe.Pointer(dst), row*stride+ch, v.Max(v.Mul(leak)))
		}
	}
}
