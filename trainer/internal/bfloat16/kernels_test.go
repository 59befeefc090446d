package bfloat16

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/deepemd/deepemd/internal/kernel"
	"github.com/deepemd/deepemd/internal/nn"
)

func randomRows(r *rand.Rand, n int) []uint32 {
	rows := kernel.Aligned[uint32](n)
	for i := range rows {
		rows[i] = pair(float32(r.NormFloat64()), float32(r.NormFloat64()))
	}
	return rows
}

func randomFloats(r *rand.Rand, n int) []float32 {
	v := kernel.Aligned[float32](n)
	for i := range v {
		v[i] = float32(r.NormFloat64())
	}
	return v
}

func randomChannels(r *rand.Rand) (c channels) {
	copy(c[:], randomFloats(r, len(c)))
	return c
}

// sameFloats fails unless the values agree to a part of the largest.
func sameFloats(t *testing.T, what string, got, want []float32) {
	t.Helper()
	largest := 0.0
	for _, w := range want {
		largest = max(largest, math.Abs(float64(w)))
	}
	for i, w := range want {
		if !(math.Abs(float64(got[i]-w)) <= 1e-5*largest) {
			t.Fatalf("%s: value %d is %g, want %g", what, i, got[i], w)
		}
	}
}

// sameRows fails unless the values agree, except for the last bit, which a fused multiplication may
// round differently.
func sameRows(t *testing.T, what string, got, want []uint32) {
	t.Helper()
	for i, w := range want {
		for _, v := range [2][2]float32{{low(got[i]), low(w)}, {high(got[i]), high(w)}} {
			if !(math.Abs(float64(v[0]-v[1])) <= 1./128*math.Abs(float64(v[1]))+1e-6) {
				t.Fatalf("%s: word %d is (%g, %g), want (%g, %g)", what, i, low(got[i]), high(got[i]), low(w), high(w))
			}
		}
	}
}

// TestFastKernelsAgreeWithGeneric compares every kernel on the same values.
func TestFastKernelsAgreeWithGeneric(t *testing.T) {
	k, ok := Fast()
	if !ok {
		t.Skip("this processor has no products of bfloat16")
	}
	r := rand.New(rand.NewPCG(1, 2))

	const rows = 3*chunk + chunk/2
	c := randomFloats(r, sums)
	z, y, s := randomRows(r, rows), randomRows(r, rows), randomRows(r, rows)
	for i, valid := range []int{-3, 0, 7, 32, 60, 9, 16, 20} {
		size := chunk
		if i > 4 {
			size /= 2
		}
		gotRows, wantRows := randomRows(r, size), randomRows(r, size)
		start := moments{randomChannels(r), randomChannels(r)}
		gotSums, wantSums := start, start
		k.emit(gotRows, c, valid, &gotSums)
		genericEmit(wantRows, c, valid, &wantSums)
		sameRows(t, "emit", gotRows, wantRows)
		for i := range gotSums {
			sameFloats(t, "moments", gotSums[i][:], wantSums[i][:])
		}
		k.emitThrough(gotRows, c, y, z, valid, 0.1, &gotSums)
		genericEmitThrough(wantRows, c, y, z, valid, 0.1, &wantSums)
		sameRows(t, "emitThrough", gotRows, wantRows)
		for i := range gotSums {
			sameFloats(t, "moments of emitThrough", gotSums[i][:], wantSums[i][:])
		}
	}

	p2, p3 := [2]channels{randomChannels(r), randomChannels(r)}, [3]channels{randomChannels(r), randomChannels(r), randomChannels(r)}
	gotRows, wantRows := make([]uint32, rows), make([]uint32, rows)
	both := func(what string, run func(k *Kernels, dst []uint32)) {
		run(k, gotRows)
		run(Generic(), wantRows)
		sameRows(t, what, gotRows, wantRows)
	}
	weightsAsRows := randomRows(r, rows)
	both("normalize", func(k *Kernels, dst []uint32) { k.normalize(dst, z, &p2, 0.1) })
	both("join", func(k *Kernels, dst []uint32) { k.join(dst, z, s, &p3, 0.1) })
	both("combine", func(k *Kernels, dst []uint32) { k.join(dst, y, z, &p3, nn.Linear) })
	both("pool", func(k *Kernels, dst []uint32) { k.pool(dst, z, y, s, weightsAsRows) })
	gotRows, wantRows = make([]uint32, chunk), make([]uint32, chunk)
	both("interleave", func(k *Kernels, dst []uint32) { k.interleave(dst, z[:chunk]) })
	both("interleave half", func(k *Kernels, dst []uint32) { k.interleave(dst, y[:chunk/2]) })
	weights := randomFloats(r, group*48)
	both("pairs", func(k *Kernels, dst []uint32) { k.pairs(dst, weights, 48) })
	gotSpread, wantSpread := make([]float32, group*48), make([]float32, group*48)
	k.spread(gotSpread, 48, c)
	genericSpread(wantSpread, 48, c)
	sameFloats(t, "spread", gotSpread, wantSpread)

	four := func() (s [4][]uint32) {
		for i := range s {
			s[i] = randomRows(r, rows)
		}
		return s
	}
	sum, zs, ss, gotFour, wantFour := four(), four(), four(), four(), four()
	copy(sum[2][:50], sum[1][:50])
	var gotSums, wantSums [3]channels
	k.unpool(&gotFour, y, &sum, &zs, &ss, 0.1, &gotSums)
	genericUnpool(&wantFour, y, &sum, &zs, &ss, 0.1, &wantSums)
	for i := range gotFour {
		sameRows(t, "unpool", gotFour[i], wantFour[i])
	}
	for i := range gotSums {
		sameFloats(t, "sums of unpool", gotSums[i][:], wantSums[i][:])
	}
}
