package gallery

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestNearest(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, n := range []int{0, 1, 50, 1000} {
		cosines := make([]float32, n)
		var want []int32
		for i := range cosines {
			cosines[i] = float32(r.IntN(40)) / 40 // many are equal
			if r.IntN(10) == 0 {
				cosines[i] = float32(math.Inf(-1))
				continue
			}
			want = append(want, int32(i))
		}
		slices.SortStableFunc(want, func(a, b int32) int { return cmp.Compare(cosines[b], cosines[a]) })
		for _, limit := range []int{All, 0, 1, 2, 17, len(want), n + 3} {
			few := want
			if limit != All {
				few = want[:min(limit, len(want))]
			}
			if got := Nearest(cosines, limit); !slices.Equal(got, few) {
				t.Fatalf("the nearest %d of %d: %v, want %v", limit, n, got, few)
			}
		}
	}
}
