package kernel

import (
	"math/rand/v2"
	"testing"
)

// TestBytesQuadsAndPairs checks both product kernels against the reference, independent of the
// processor's choice.
func TestBytesQuadsAndPairs(t *testing.T) {
	t.Logf("pairs: %v", pairs())
	r := rand.New(rand.NewPCG(15, 16))
	const rows, k = 6, 400
	a, b := make([]uint8, rows*k), make([]int8, k*Lanes)
	for i := range a {
		a[i] = uint8(r.IntN(MaxActivation + 1))
	}
	for i := range b {
		b[i] = int8(r.IntN(2*MaxWeight+1) - MaxWeight)
	}
	for i := range k {
		a[i] = MaxActivation
		b[i/quad*quad*Lanes+i%quad] = -MaxWeight
	}
	var want, got [rows * Lanes]int32
	bytePanelGeneric(Lanes, rows, k, &a[0], &b[0], &want[0])
	for name, multiply := range map[string]func(rows, k int, a *uint8, b *int8, sums *int32){"quads": bytesQuads16, "pairs": bytesPairs16} {
		clear(got[:])
		for range 100 { // until the engine has optimized it
			multiply(rows, k, &a[0], &b[0], &got[0])
		}
		if got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}
