package gallery

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/internal/require"
)

// gallerySize is set by `go test -bench Search -pictures 50000`.
var gallerySize = flag.Int("pictures", 10_000, "pictures of the gallery that benchmarks search")

// BenchmarkSearch searches a gallery with the default network's shape. Choosing grows with the
// gallery, matching with the candidates. Its metrics are the medians of both in milliseconds per
// query on all cores.
func BenchmarkSearch(b *testing.B) {
	const nodes, channels = 25, 320
	pictures := *gallerySize
	r := rand.New(rand.NewPCG(1, 2))
	random := func() *embed.Set {
		set := &embed.Set{N: nodes, C: channels, Data: make([]float32, nodes*channels)}
		for i := range set.Data {
			set.Data[i] = r.Float32()
		}
		return set
	}
	path := filepath.Join(b.TempDir(), "x.index")
	file := require.Value(os.Create(path))(b)
	defer file.Close()
	w := require.Value(Create(file, about()))(b)
	some := make([]*embed.Set, 97)
	for i := range some {
		some[i] = random()
	}
	for i := range pictures {
		require.NoError(b, w.Add(fmt.Sprint(i), "", some[i%len(some)]))
		if i%1024 == 1023 {
			require.NoError(b, w.Commit())
		}
	}
	require.NoError(b, w.Close())
	raw := require.Value(os.ReadFile(path))(b)
	x := require.Value(Open(raw))(b)
	query := random()
	for _, candidates := range []int{0, 200, 1000, 5000} {
		b.Run(fmt.Sprintf("candidates=%d", candidates), func(b *testing.B) {
			s := Searcher{Gallery: x, Matcher: newMatcher, Candidates: candidates}
			var choosing, matching []float64
			for b.Loop() {
				_, timing, err := s.Search(query, 10)
				require.NoError(b, err)
				choosing = append(choosing, timing.Choosing.Seconds()*1e3)
				matching = append(matching, timing.Matching.Seconds()*1e3)
			}
			b.ReportMetric(median(choosing), "choose-ms")
			b.ReportMetric(median(matching), "match-ms")
		})
	}
}

func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}
