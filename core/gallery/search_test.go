package gallery

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/match"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/solver"
)

func TestSearchAgreesWithPython(t *testing.T) {
	want, sets := readGolden(t)
	s := Searcher{Gallery: memory(t, sets[1:]), Matcher: newMatcher, Candidates: All, Threads: 3}
	hits, _, err := s.Search(sets[0], 100)
	if err != nil || len(hits) != len(want.FirstScores) {
		t.Fatalf("%d pictures found, error %v", len(hits), err)
	}
	for k, h := range hits {
		if !(math.Abs(h.Score-want.FirstScores[h.Picture]) <= 1e-5) || !(math.Abs(h.Cosine-want.FirstCosines[h.Picture]) <= 1e-6) {
			t.Errorf("%+v, Python has %v and %v", h, want.FirstScores[h.Picture], want.FirstCosines[h.Picture])
		}
		if k > 0 && h.Score > hits[k-1].Score {
			t.Errorf("place %d is better than the one before", k)
		}
	}
}

// TestBounds checks that skipping matches by their bounds does not change results, on one thread or
// many, and that some are skipped.
func TestBounds(t *testing.T) {
	for name, sets := range map[string][]*embed.Set{"random": randomSets(300, 9, 32), "alike": alike(300, 9, 32), "golden": goldenSets(t)} {
		var file Buffer
		w := require.Value(Create(&file, about()))(t)
		for i, set := range sets {
			require.NoError(t, w.Add(strconv.Itoa(i), "", set))
		}
		require.NoError(t, w.Close())
		for kind, g := range map[string]Gallery{"memory": memory(t, sets), "index": opened(t, file.Bytes)} {
			left := 0
			for q, query := range sets[:10] {
				for _, candidates := range []int{50, All} {
					s := Searcher{Gallery: g, Matcher: newMatcher, Candidates: candidates}
					all, timing, err := s.Search(query, len(sets))
					require.NoError(t, err)
					if timing.Solved != len(all) {
						t.Errorf("%s, %s: %d matches solved for %d pictures", name, kind, timing.Solved, len(all))
					}
					for _, h := range all {
						if h.Cosine > 1 {
							t.Errorf("%s, %s, query %d: the cosine %v of picture %d", name, kind, q, h.Cosine, h.Picture)
						}
					}
					for _, limit := range []int{1, 3, 10} {
						for _, s.Threads = range []int{1, 4} {
							few, timing, err := s.Search(query, limit)
							require.NoError(t, err)
							if !slices.Equal(few, all[:limit]) {
								t.Errorf("%s, %s, query %d: the best %d of %d candidates are %v, want %v", name, kind, q, limit, candidates, few, all[:limit])
							}
							left += len(all) - timing.Solved
						}
					}
				}
			}
			if left == 0 {
				t.Errorf("%s, %s: every match was solved", name, kind)
			}
		}
	}
}

// TestApproximateSolvers checks that bounds also hold for flows that are not optimal, and skip matches.
func TestApproximateSolvers(t *testing.T) {
	sets := goldenSets(t)
	for _, m := range []func() *match.Matcher{
		func() *match.Matcher { return &match.Matcher{Solver: new(match.Dense)} },
		func() *match.Matcher { return &match.Matcher{Solver: new(solver.Sinkhorn)} },
	} {
		s := Searcher{Gallery: memory(t, sets), Matcher: m, Candidates: All, Threads: 1}
		left := 0
		for _, query := range sets {
			all, _, err := s.Search(query, len(sets))
			require.NoError(t, err)
			few, timing, err := s.Search(query, 1)
			require.NoError(t, err)
			if !slices.Equal(few, all[:1]) {
				t.Errorf("%T: the best is %v, want %v", m().Solver, few, all[0])
			}
			left += len(sets) - timing.Solved
		}
		if left == 0 {
			t.Errorf("%T: every match was solved", m().Solver)
		}
	}
}

// broken is a solver without solutions.
type broken struct{}

func (broken) Forward(*solver.Problem) ([]float64, error) { return nil, errors.ErrUnsupported }

func TestMatchesFail(t *testing.T) {
	s := Searcher{Gallery: memory(t, goldenSets(t)), Matcher: func() *match.Matcher { return &match.Matcher{Solver: broken{}} }, Candidates: 3}
	if hits, _, err := s.Search(goldenSets(t)[0], 2); !errors.Is(err, errors.ErrUnsupported) || !strings.Contains(err.Error(), "picture 0") {
		t.Errorf("%v, error %v", hits, err)
	}
}

// A panic on another goroutine, as of a mapped file that was cut off, can be recovered by the caller.
func TestPanicsOfThreads(t *testing.T) {
	defer func() {
		if p := recover(); p != "cut off" {
			t.Errorf("panic %v", p)
		}
	}()
	onThreads(3, func(k int) {
		if k == 1 {
			panic("cut off")
		}
	})
}

// TestRerank checks that given pictures are ranked as by a search.
func TestRerank(t *testing.T) {
	_, sets := readGolden(t)
	var file Buffer
	filled(t, &file, true, 5)
	x := opened(t, file.Bytes)
	require.NoError(t, Extend(&file, x, about()).Delete(x, 2))
	x = opened(t, file.Bytes)
	s := Searcher{Gallery: x, Matcher: newMatcher, Candidates: All}
	all, _, err := s.Search(sets[0], All)
	require.NoError(t, err)
	chosen := []int{20, 4, 11, 0, 7}
	var want []Hit
	for _, h := range all {
		if slices.Contains(chosen, h.Picture) {
			want = append(want, h)
		}
	}
	for _, limit := range []int{0, 2, 5, 100, All, -7} {
		few := want
		if limit >= 0 {
			few = want[:min(limit, 5)]
		}
		hits, _, err := s.Rerank(sets[0], chosen, limit)
		if err != nil || !slices.Equal(hits, few) {
			t.Errorf("the best %d: %v, error %v, want %v", limit, hits, err, few)
		}
	}
	if hits, _, err := s.Rerank(sets[0], nil, 3); err != nil || len(hits) > 0 {
		t.Errorf("no candidates: %v, error %v", hits, err)
	}
	for _, i := range []int{-1, 24, 2} {
		if _, _, err := s.Rerank(sets[0], []int{3, i}, 3); !errors.Is(err, ErrAbsent) {
			t.Errorf("picture %d: error %v", i, err)
		}
	}
	if _, _, err := s.Rerank(&embed.Set{N: 1, C: 3, Data: []float32{1, 2, 4}}, chosen, 3); !errors.Is(err, match.ErrChannels) {
		t.Errorf("a query of another network: error %v", err)
	}
	if _, _, err := s.Rerank(&embed.Set{}, chosen, 3); !errors.Is(err, embed.ErrSet) {
		t.Errorf("an empty query: error %v", err)
	}
}

func goldenSets(t *testing.T) []*embed.Set {
	_, sets := readGolden(t)
	return sets
}

// randomSets returns unrelated pictures.
func randomSets(pictures, nodes, channels int) []*embed.Set {
	r := rand.New(rand.NewPCG(7, 8))
	sets := make([]*embed.Set, pictures)
	for i := range sets {
		sets[i] = &embed.Set{N: nodes, C: channels, Data: make([]float32, nodes*channels)}
		for k := range sets[i].Data {
			sets[i].Data[k] = r.Float32()
		}
	}
	return sets
}

// alike returns pictures of a few kinds. Several are equal and have equal scores.
func alike(pictures, nodes, channels int) []*embed.Set {
	r := rand.New(rand.NewPCG(9, 10))
	kinds := randomSets(8, nodes, channels)
	sets := make([]*embed.Set, pictures)
	for i := range sets {
		kind := kinds[i%len(kinds)]
		sets[i] = &embed.Set{N: nodes, C: channels, Data: slices.Clone(kind.Data)}
		if i%3 > 0 {
			for k := range sets[i].Data {
				sets[i].Data[k] += 0.3 * r.Float32()
			}
		}
	}
	return sets
}

func TestNewMemoryErrors(t *testing.T) {
	_, sets := readGolden(t)
	other := &embed.Set{N: 1, C: 3, Data: []float32{1, 2, 3}}
	bad := &embed.Set{N: 1, C: 8, Data: []float32{1, 2, 3, 4, 5, 6, 7, float32(math.Inf(1))}}
	for name, test := range map[string]struct {
		set  *embed.Set
		want error
	}{"channels": {other, match.ErrChannels}, "infinite": {bad, match.ErrNotFinite}, "empty": {&embed.Set{}, embed.ErrSet}, "none": {nil, embed.ErrSet}} {
		if _, err := NewMemory([]*embed.Set{sets[0], test.set}, newMatcher()); !errors.Is(err, test.want) || !strings.Contains(err.Error(), "picture 1") {
			t.Errorf("%s: error %v, want %v", name, err, test.want)
		}
		if _, err := NewMemory([]*embed.Set{test.set}, newMatcher()); name != "channels" && !errors.Is(err, test.want) {
			t.Errorf("%s, first: error %v, want %v", name, err, test.want)
		}
	}
}

func TestNearest(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, n := range []int{0, 1, 50, 1000} {
		cosines := make([]float32, n)
		var want []int32
		for i := range cosines {
			cosines[i] = float32(r.IntN(40)) / 40
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
