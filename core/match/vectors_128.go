//go:build goexperiment.simd && (arm64 || wasm)

package match

import (
	"simd/archsimd"
	"unsafe"
)

// The loops over channels with vectors of four; see vectors.go. Sums are float32 in eight parts of
// a few hundred values, as precise as the features. The remainder of a length that is not a
// multiple of eight is scalar.

type vec = archsimd.Float32x4

// step is the number of values in an iteration.
const step = 8

// pair loads the two vectors at values k and k+4.
func pair(p unsafe.Pointer, k int) (vec, vec) {
	at := unsafe.Add(p, 4*k)
	return archsimd.LoadFloat32x4Array((*[4]float32)(at)), archsimd.LoadFloat32x4Array((*[4]float32)(unsafe.Add(at, 16)))
}

// setPair stores the two vectors at values k and k+4.
func setPair(p unsafe.Pointer, k int, a, b vec) {
	at := unsafe.Add(p, 4*k)
	a.StoreArray((*[4]float32)(at))
	b.StoreArray((*[4]float32)(unsafe.Add(at, 16)))
}

func total(v vec) float32 { return (v.GetElem(0) + v.GetElem(1)) + (v.GetElem(2) + v.GetElem(3)) }

func dot(a, b []float32) float32 {
	b = b[:len(a)]
	whole := len(a) &^ (step - 1)
	var s0, s1 vec
	p, q := unsafe.Pointer(unsafe.SliceData(a)), unsafe.Pointer(unsafe.SliceData(b))
	for k := 0; k < whole; k += step {
		x0, x1 := pair(p, k)
		y0, y1 := pair(q, k)
		s0, s1 = x0.MulAdd(y0, s0), x1.MulAdd(y1, s1)
	}
	s := total(s0.Add(s1))
	for k := whole; k < len(a); k++ {
		s += a[k] * b[k]
	}
	return s
}

func axpy(dst []float32, a float32, x []float32) {
	x = x[:len(dst)]
	whole := len(x) &^ (step - 1)
	f := archsimd.BroadcastFloat32x4(a)
	p, q := unsafe.Pointer(unsafe.SliceData(dst)), unsafe.Pointer(unsafe.SliceData(x))
	for k := 0; k < whole; k += step {
		x0, x1 := pair(q, k)
		d0, d1 := pair(p, k)
		setPair(p, k, f.MulAdd(x0, d0), f.MulAdd(x1, d1))
	}
	for k := whole; k < len(x); k++ {
		dst[k] += a * x[k]
	}
}

// sum adds the differences from the first value, so that the mean of equal values is exact.
func sum(a []float32) float64 {
	whole := len(a) &^ (step - 1)
	first := archsimd.BroadcastFloat32x4(a[0])
	var s0, s1 vec
	p := unsafe.Pointer(unsafe.SliceData(a))
	for k := 0; k < whole; k += step {
		x0, x1 := pair(p, k)
		s0, s1 = s0.Add(x0.Sub(first)), s1.Add(x1.Sub(first))
	}
	s := float64(whole)*float64(a[0]) + float64(total(s0.Add(s1)))
	for _, v := range a[whole:] {
		s += float64(v)
	}
	return s
}

func deviation(a []float32, center float64) float64 {
	whole := len(a) &^ (step - 1)
	c := archsimd.BroadcastFloat32x4(float32(center))
	var s0, s1 vec
	p := unsafe.Pointer(unsafe.SliceData(a))
	for k := 0; k < whole; k += step {
		x0, x1 := pair(p, k)
		x0, x1 = x0.Sub(c), x1.Sub(c)
		s0, s1 = x0.MulAdd(x0, s0), x1.MulAdd(x1, s1)
	}
	s := float64(total(s0.Add(s1)))
	for _, v := range a[whole:] {
		d := float64(v) - center
		s += d * d
	}
	return s
}

func standardize(dst, a []float32, center, scale float64) {
	dst = dst[:len(a)]
	whole := len(a) &^ (step - 1)
	c, f := archsimd.BroadcastFloat32x4(float32(center)), archsimd.BroadcastFloat32x4(float32(scale))
	p, q := unsafe.Pointer(unsafe.SliceData(dst)), unsafe.Pointer(unsafe.SliceData(a))
	for k := 0; k < whole; k += step {
		x0, x1 := pair(q, k)
		setPair(p, k, x0.Sub(c).Mul(f), x1.Sub(c).Mul(f))
	}
	for k := whole; k < len(a); k++ {
		dst[k] = float32((float64(a[k]) - center) * scale)
	}
}
