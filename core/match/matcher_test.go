package match_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/match"
	"github.com/deepemd/deepemd/internal/require"
)

// randomSet returns non-negative features, as after a network's last activation.
func randomSet(rng *rand.Rand, n, c int) *embed.Set {
	set := &embed.Set{N: n, C: c, Data: make([]float32, n*c)}
	for i := range set.Data {
		set.Data[i] = float32(max(rng.NormFloat64(), -0.1))
	}
	return set
}

// repeat returns the set with every node k times.
func repeat(set *embed.Set, k int) *embed.Set {
	r := &embed.Set{N: set.N * k, C: set.C}
	for range k {
		r.Data = append(r.Data, set.Data...)
	}
	return r
}

func near(a, b, tolerance float64) bool { return math.Abs(a-b) <= tolerance }

// naive computes the score of a flow and the weights from the paper's definitions, in float64.
func naive(query, support *embed.Set, flow []float64) (score float64, weights [2][]float64) {
	centered := func(u []float32) []float64 {
		var mean, squares float64
		for _, v := range u {
			mean += float64(v) / float64(len(u))
		}
		d := make([]float64, len(u))
		for k, v := range u {
			d[k] = float64(v) - mean
			squares += d[k] * d[k]
		}
		for k := range d {
			d[k] /= math.Max(math.Sqrt(squares), 1e-8)
		}
		return d
	}
	for i := range query.N {
		for j := range support.N {
			u, v := centered(query.Node(i)), centered(support.Node(j))
			for k := range u {
				score += 12.5 / float64(query.N) * u[k] * v[k] * flow[i*support.N+j]
			}
		}
	}
	for side, pair := range [][2]*embed.Set{{query, support}, {support, query}} {
		var sum float64
		for i := range pair[0].N {
			var dot float64
			for j := range pair[1].N {
				for k, v := range pair[0].Node(i) {
					dot += float64(v) * float64(pair[1].Node(j)[k]) / float64(pair[1].N)
				}
			}
			w := math.Max(dot, 0) + 1e-3 + 1e-5
			weights[side] = append(weights[side], w)
			sum += w
		}
		for i := range weights[side] {
			weights[side][i] *= float64(query.N) / sum
		}
	}
	return score, weights
}

func TestMatch(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var m match.Matcher
	for _, size := range []struct{ nq, ns, c int }{
		{1, 1, 1}, {1, 1, 8}, {1, 5, 7}, {5, 1, 7}, {4, 4, 320}, {25, 25, 640}, {30, 25, 33}, {25, 30, 33},
	} {
		query, support := randomSet(rng, size.nq, size.c), randomSet(rng, size.ns, size.c)
		got, err := m.Match(query, support)
		if err != nil {
			t.Fatalf("%v: %v", size, err)
		}
		score, weights := naive(query, support, got.Flow)
		if !near(got.Score, score, 1e-5) {
			t.Errorf("%v: score %v, want %v", size, got.Score, score)
		}
		for side, pair := range [][2][]float64{{got.QueryWeights, weights[0]}, {got.SupportWeights, weights[1]}} {
			if !slices.EqualFunc(pair[0], pair[1], func(a, b float64) bool { return near(a, b, 1e-4*b) }) {
				t.Errorf("%v: weights of side %d: got %v, want %v", size, side, pair[0], pair[1])
			}
		}
		apart := make([]float64, size.nq) // without the matcher
		match.CrossReference{}.Weigh(apart, require.Value(match.Prepare(query))(t), require.Value(match.Prepare(support))(t))
		match.Normalize(apart, float64(size.nq))
		if !slices.EqualFunc(apart, weights[0], func(a, b float64) bool { return near(a, b, 1e-4*b) }) {
			t.Errorf("%v: CrossReference weighs the query with %v, want %v", size, apart, weights[0])
		}
		rows, cols := make([]float64, size.nq), make([]float64, size.ns)
		for i := range rows {
			for j := range cols {
				rows[i] += got.Flow[i*size.ns+j]
				cols[j] += got.Flow[i*size.ns+j]
			}
		}
		for side, pair := range [][2][]float64{{rows, got.QueryWeights}, {cols, got.SupportWeights}} {
			if !slices.EqualFunc(pair[0], pair[1], func(a, b float64) bool { return near(a, b, 1e-9) }) {
				t.Errorf("%v: flow of side %d sums to %v, weights are %v", size, side, pair[0], pair[1])
			}
		}
	}
}

func TestScoreProperties(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	query, support := randomSet(rng, 9, 40), randomSet(rng, 9, 40)
	score := func(m match.Matcher, q, s *embed.Set) float64 {
		t.Helper()
		v := require.Value(m.Score(q, s))(t)
		return v
	}
	for _, w := range []match.Weighting{nil, match.CrossReference{}, match.Equal{}} {
		m := match.Matcher{Weighting: w}
		base := score(m, query, support)
		if got := score(m, query, query); !near(got, 12.5, 1e-5) {
			t.Errorf("%v: a picture matched with itself scores %v, want 12.5", w, got)
		}
		if got := score(m, support, query); !near(got, base, 1e-5) {
			t.Errorf("%v: score %v one way, %v the other", w, base, got)
		}
		if got := score(match.Matcher{Weighting: w, Temperature: 1}, query, support); !near(got*12.5, base, 1e-6) {
			t.Errorf("%v: temperature 1 gives %v, 12.5 gives %v", w, got, base)
		}
		if got := score(m, query, repeat(support, 2)); !near(got, base, 1e-5) {
			t.Errorf("%v: with a doubled support %v, want %v", w, got, base)
		}
		if got := score(m, repeat(query, 3), support); !near(got, base, 1e-5) {
			t.Errorf("%v: with a tripled query %v, want %v", w, got, base)
		}
	}
	one, both := query.Node(0), append(slices.Clone(query.Node(0)), make([]float32, 40)...)
	both[40] = 1
	a := &embed.Set{N: 1, C: 40, Data: one}
	b := &embed.Set{N: 2, C: 40, Data: both}
	if c, e := score(match.Matcher{}, a, b), score(match.Matcher{Weighting: match.Equal{}}, a, b); c <= e {
		t.Errorf("with background %v cross-referenced, %v equally weighted: want the former higher", c, e)
	}
}

func TestPreparedIsReused(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	query := require.Value(match.Prepare(randomSet(rng, 25, 64)))(t)
	var m match.Matcher
	for range 5 {
		set := randomSet(rng, 1+rng.IntN(30), 64)
		support := require.Value(match.Prepare(set))(t)
		want := require.Value(m.Score(query.Set(), set))(t)
		if got, err := m.ScorePrepared(query, support); err != nil || got != want {
			t.Errorf("prepared: %v, %v; unprepared: %v", got, err, want)
		}
	}
}

func TestSteadyStateAllocatesNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	query, support := randomSet(rng, 25, 64), randomSet(rng, 25, 64)
	var m match.Matcher
	if n := testing.AllocsPerRun(10, func() {
		require.Value(m.Score(query, support))(t)
	}); n != 0 {
		t.Errorf("%v allocations a match, want none", n)
	}
}

func TestDegenerateFeatures(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	const channels = 645
	of := func(values ...float32) *embed.Set {
		return &embed.Set{N: 4, C: channels, Data: slices.Repeat(values, 4*channels/len(values))}
	}
	good := randomSet(rng, 4, channels)
	zero, constant, tiny := of(0), of(1.1), of(0, math.SmallestNonzeroFloat32)
	var m match.Matcher
	for name, set := range map[string]*embed.Set{"zero": zero, "constant": constant, "tiny": tiny} {
		for _, pair := range [][2]*embed.Set{{set, good}, {good, set}, {set, set}} {
			got, err := m.Score(pair[0], pair[1])
			if err != nil || !(math.Abs(got) <= 1e-3) {
				t.Errorf("%s nodes: score %v, error %v; want 0 without an error", name, got, err)
			}
		}
	}
}

// The estimate is the cosine of the two mean nodes, each without its mean over channels.
func TestCosineOfMeans(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for range 10 {
		a, b := randomSet(rng, 3, 20), randomSet(rng, 5, 20)
		mean := func(s *embed.Set) *embed.Set {
			m := &embed.Set{N: 1, C: s.C, Data: make([]float32, s.C)}
			for i := range s.N {
				for k, v := range s.Node(i) {
					m.Data[k] += v / float32(s.N)
				}
			}
			return m
		}
		want, _ := naive(mean(a), mean(b), []float64{1})
		p, q := require.Value(match.Prepare(a))(t), require.Value(match.Prepare(b))(t)
		if got := p.Cosine(q); !near(got, want/12.5, 1e-5) {
			t.Errorf("%v, want %v", got, want/12.5)
		}
	}
}

func TestMatchErrors(t *testing.T) {
	with := func(v float64) *embed.Set {
		set := &embed.Set{N: 2, C: 2, Data: []float32{1, 2, 3, float32(v)}}
		return set
	}
	good := with(4)
	tests := []struct {
		name           string
		query, support *embed.Set
		is             error
		want           string
	}{
		{"NaN in the query", with(math.NaN()), good, match.ErrNotFinite, "query: node 1"},
		{"NaN in the support", good, with(math.NaN()), match.ErrNotFinite, "support: node 1"},
		{"infinite query", with(math.Inf(1)), good, match.ErrNotFinite, "query: node 1"},
		{"huge features", with(math.MaxFloat32), with(math.MaxFloat32), match.ErrNotFinite, "query: node 1"},
		{"features whose products overflow", good, with(2e19), match.ErrNotFinite, "support: node 1"},
		{"a long node without variation", good, &embed.Set{N: 1, C: 2, Data: []float32{1e19, 1e19}}, match.ErrNotFinite, "support: node 0"},
		{"channels", good, &embed.Set{N: 1, C: 4, Data: make([]float32, 4)}, match.ErrChannels, "query has 2 channels, support has 4"},
		{"empty query", &embed.Set{C: 2}, good, embed.ErrSet, "query"},
		{"nil support", good, nil, embed.ErrSet, "support"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var m match.Matcher
			_, err := m.Score(test.query, test.support)
			if !errors.Is(err, test.is) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %v saying %q", err, test.is, test.want)
			}
			if score, err := m.Score(good, good); err != nil || !near(score, 12.5, 1e-5) {
				t.Errorf("the matcher is spoilt: %v, %v", score, err)
			}
		})
	}
}

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
