//go:build goexperiment.simd && (amd64 || arm64 || wasm)

package kernel

import (
	"math"
	"simd/archsimd"
	"slices"
	"unsafe"
)

func vectorQuantize(dst *uint8, low, step, src *float32, rows, c, stride int) {
	lows, steps := unsafe.Slice(low, rows), unsafe.Slice(step, rows)
	round, mask := archsimd.BroadcastFloat32x4(rounds), archsimd.BroadcastUint32x4(MaxActivation)
	for row := range rows {
		out, in := unsafe.Add(unsafe.Pointer(dst), row*c), unsafe.Add(unsafe.Pointer(src), row*stride*4)
		least, most := extremes(in, c)
		var inverse float32
		lows[row], steps[row], inverse = grid(least, most)
		first, all := archsimd.BroadcastFloat32x4(lows[row]), archsimd.BroadcastFloat32x4(inverse)
		for ch := 0; ch < c; ch += Lanes {
			a := load4(in, ch).Sub(first).Mul(all).Add(round).ToBits().And(mask)
			b := load4(in, ch+4).Sub(first).Mul(all).Add(round).ToBits().And(mask)
			c := load4(in, ch+8).Sub(first).Mul(all).Add(round).ToBits().And(mask)
			d := load4(in, ch+12).Sub(first).Mul(all).Add(round).ToBits().And(mask)
			words := a.Or(b.ShiftAllLeft(8)).Or(c.ShiftAllLeft(16).Or(d.ShiftAllLeft(24)))
			words.StoreArray((*[4]uint32)(unsafe.Add(out, ch)))
		}
	}
	EndVectors()
}

func load4(p unsafe.Pointer, offset int) archsimd.Float32x4 {
	return archsimd.LoadFloat32x4Array((*[4]float32)(unsafe.Add(p, offset*4)))
}

// extremes returns the smallest and the largest of c floats. It compares them as integers of the
// same order, which takes fewer instructions in WebAssembly.
func extremes(p unsafe.Pointer, c int) (least, most float32) {
	const magnitude = 1<<31 - 1
	mask := broadcast(math.Float32frombits(magnitude)).ToBits().BitsToInt32()
	ordered := func(at int) ints {
		v := load(p, at).ToBits().BitsToInt32()
		return v.Xor(v.ShiftAllRight(31).And(mask))
	}
	low, high := ordered(0), ordered(0)
	for ch := lanes; ch < c; ch += lanes {
		v := ordered(ch)
		low, high = low.Min(v), high.Max(v)
	}
	var lows, highs [lanes]int32
	low.StoreArray(&lows)
	high.StoreArray(&highs)
	EndVectors()
	float := func(v int32) float32 { return math.Float32frombits(uint32(v ^ v>>31&magnitude)) }
	return float(slices.Min(lows[:])), float(slices.Max(highs[:]))
}

func vectorFinishBytes(dst *float32, stride int, sums *int32, rows, width int, low, step, scale, total, bias *float32, add bool, slope float32) {
	lows, steps := unsafe.Slice(low, rows), unsafe.Slice(step, rows)
	leaks := math.Float32bits(slope) != math.Float32bits(1) // as bits: mixing scalar floats with vectors is slow, see EndVectors
	leak := broadcast(slope)
	for row := range rows {
		out, sum := unsafe.Add(unsafe.Pointer(dst), row*stride*4), unsafe.Add(unsafe.Pointer(sums), row*width*4)
		first, size := broadcast(lows[row]), broadcast(steps[row])
		for ch := 0; ch < width; ch += 2 * lanes {
			v := load(sum, ch).ToBits().BitsToInt32().ConvertToFloat32().Mul(load(unsafe.Pointer(scale), ch).Mul(size))
			w := load(sum, ch+lanes).ToBits().BitsToInt32().ConvertToFloat32().Mul(load(unsafe.Pointer(scale), ch+lanes).Mul(size))
			v = load(unsafe.Pointer(total), ch).Mul(first).Add(v).Add(load(unsafe.Pointer(bias), ch))
			w = load(unsafe.Pointer(total), ch+lanes).Mul(first).Add(w).Add(load(unsafe.Pointer(bias), ch+lanes))
			if add {
				v, w = v.Add(load(out, ch)), w.Add(load(out, ch+lanes))
			}
			if leaks {
				v, w = v.Max(v.Mul(leak)), w.Max(w.Mul(leak))
			}
			store(out, ch, v)
			store(out, ch+lanes, w)
		}
	}
	EndVectors()
}
