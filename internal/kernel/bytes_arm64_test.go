package kernel

import (
	"math/rand/v2"
	"testing"

	"golang.org/x/sys/cpu"
)

// TestBytesDotsAndPairs checks both product kernels against the reference, independent of the
// processor's choice.
func TestBytesDotsAndPairs(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	const rows, k = 2 * ByteRows, 400
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
	ways := map[string]bytes4x16{"pairs": bytesPairs4x16}
	if cpu.ARM64.HasASIMDDP {
		ways["dots"] = bytesDot4x16
	} else {
		t.Log("this processor has no dot products of bytes")
	}
	for name, multiply := range ways {
		clear(got[:])
		bytePanelBy(multiply)(Lanes, rows, k, &a[0], &b[0], &got[0])
		if got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}
