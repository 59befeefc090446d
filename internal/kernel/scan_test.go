package kernel

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestScan: all sets find the same sums, the largest ones too.
func TestScan(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, c := range []int{16, 32, 48, 320, 16384} {
		for _, n := range []int{0, 1, 7} {
			rows, query, want := make([]byte, n*c), make([]int16, c), make([]int32, n)
			most := ScanMost(c)
			for k := range query {
				query[k] = int16(r.IntN(2*most+1) - most)
				if c == 16384 {
					query[k] = int16(most)
				}
			}
			for i := range rows {
				v := r.IntN(255) - 127
				if c == 16384 {
					v = 127 - 254*(i/c%2)
				}
				rows[i] = byte(v)
				want[i/c] += int32(v) * int32(query[i%c])
			}
			for _, s := range Available() {
				got := make([]int32, n)
				s.Scan(got, rows, query)
				if !slices.Equal(got, want) {
					t.Errorf("%s, %d rows of %d: %v, want %v", s.Name(), n, c, got, want)
				}
			}
		}
	}
}

func BenchmarkScan(b *testing.B) {
	const n, c = 10_000, 320
	rows, query, dst := make([]byte, n*c), make([]int16, c), make([]int32, n)
	for _, s := range Available() {
		b.Run(s.Name(), func(b *testing.B) {
			b.SetBytes(n * c)
			for b.Loop() {
				s.Scan(dst, rows, query)
			}
		})
	}
}
