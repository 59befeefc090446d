package match_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/deepemd/deepemd/core/match"
	"github.com/deepemd/deepemd/internal/require"
)

// BenchmarkMatch matches a query with prepared supports at the sizes of a
// 64-pixel and an 84-pixel network.
func BenchmarkMatch(b *testing.B) {
	for _, size := range []struct{ n, c int }{{16, 320}, {25, 640}} {
		b.Run(fmt.Sprintf("%dx%d", size.n, size.c), func(b *testing.B) {
			rng := rand.New(rand.NewPCG(1, 2))
			query := require.Value(match.Prepare(randomSet(rng, size.n, size.c)))(b)
			support := require.Value(match.Prepare(randomSet(rng, size.n, size.c)))(b)
			var m match.Matcher
			for b.Loop() {
				require.Value(m.ScorePrepared(query, support))(b)
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "matches/s")
		})
	}
}
