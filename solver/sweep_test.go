package solver

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestSweepsAgree compares this machine's sweep with sweepGeneric.
func TestSweepsAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		rows, stride := 1+r.IntN(13), sweepLanes*(1+r.IntN(6))
		cost, v, u := make([]int64, rows*stride), make([]int64, stride), make([]int64, rows)
		for _, s := range [][]int64{cost, v, u} {
			for i := range s {
				s[i] = r.Int64N(1<<59) - 1<<58
			}
		}
		got, want := make([]candidate, rows*stride+sweepLanes), make([]candidate, rows*stride+sweepLanes)
		n, m := sweep(got, cost, v, u, 3, 40), sweepGeneric(want, cost, v, u, 3, 40)
		if !slices.Equal(got[:n], want[:m]) {
			t.Fatalf("%d arcs listed, want %d, or others", n, m)
		}
	}
}
