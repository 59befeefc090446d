package match_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/deepemd/deepemd/core/match"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/solver"
)

func prepared(t *testing.T, m *match.Matcher, rng *rand.Rand, n, c int) *match.Prepared {
	t.Helper()
	p := require.Value(m.Prepare(randomSet(rng, n, c)))(t)
	return p
}

// naiveBound returns the bound that starts from the prices of the query's nodes, or of the support's.
func naiveBound(m *match.Match, support bool) float64 {
	first, second := m.QueryWeights, m.SupportWeights
	if support {
		first, second = second, first
	}
	similarity := func(i, j int) float64 {
		if support {
			i, j = j, i
		}
		return m.Similarity[i*len(m.SupportWeights)+j]
	}
	prices, total := make([]float64, len(first)), 0.
	for i, w := range first {
		prices[i] = similarity(i, 0)
		for j := range second {
			prices[i] = max(prices[i], similarity(i, j))
		}
		total += w * prices[i]
	}
	for j, w := range second {
		rest := math.Inf(-1)
		for i, price := range prices {
			rest = max(rest, similarity(i, j)-price)
		}
		total += w * rest
	}
	return 12.5 / float64(len(m.QueryWeights)) * total
}

// A bound is at least the score, and equals it if a side has one node. A warm start does not change the
// score.
func TestPairing(t *testing.T) {
	rng := rand.New(rand.NewPCG(61, 62))
	var m match.Matcher
	var memory match.Memory
	for range 50 {
		n := 1 + rng.IntN(20)
		query, support := prepared(t, &m, rng, n, 24), prepared(t, &m, rng, 1+rng.IntN(20), 24)
		pairing, err := m.Pair(query, support)
		require.NoError(t, err)
		bound := pairing.Bound()
		found, err := pairing.Solve()
		require.NoError(t, err)
		score := found.Score
		if want := min(naiveBound(found, false), naiveBound(found, true)); !near(bound, want, 1e-9) {
			t.Errorf("%d and %d nodes: bound %v, want %v", query.N(), support.N(), bound, want)
		}
		if !(bound >= score-1e-9) || (query.N() == 1 || support.N() == 1) && bound > score+1e-9 {
			t.Errorf("%d and %d nodes: bound %v, score %v", query.N(), support.N(), bound, score)
		}
		for range 2 {
			if found, err = pairing.SolveFrom(&memory); err != nil || !(math.Abs(found.Score-score) <= 1e-9) {
				t.Errorf("from memory: score %v, error %v; want %v", found.Score, err, score)
			}
		}
		if whole, err := m.ScorePrepared(query, support); err != nil || !(math.Abs(whole-score) <= 1e-9) {
			t.Errorf("at once: score %v, error %v; want %v", whole, err, score)
		}
	}
}

func TestPairingAllocatesNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(63, 64))
	var m match.Matcher
	query, support := prepared(t, &m, rng, 25, 64), prepared(t, &m, rng, 25, 64)
	if n := testing.AllocsPerRun(10, func() {
		pairing := require.Value(m.Pair(query, support))(t)
		if pairing.Bound() < 0 {
			t.Fatal("the sets have nothing in common")
		}
		require.Value(pairing.Solve())(t)
	}); n != 0 {
		t.Errorf("%v allocations a pairing, want none", n)
	}
}

// A pairing must not return results of its matcher's next pair, even if that failed.
func TestEndedPairing(t *testing.T) {
	rng := rand.New(rand.NewPCG(65, 66))
	var m match.Matcher
	query, support, strange := prepared(t, &m, rng, 4, 16), prepared(t, &m, rng, 4, 16), prepared(t, &m, rng, 4, 8)
	ended := func() match.Pairing {
		p := require.Value(m.Pair(query, support))(t)
		return p
	}
	tests := []struct {
		name string
		use  func()
	}{
		{"another pair", func() {
			p := ended()
			ended()
			_, _ = p.Solve()
		}},
		{"another pair, bound", func() {
			p := ended()
			ended()
			p.Bound()
		}},
		{"a match", func() {
			p := ended()
			require.Value(m.MatchPrepared(support, query))(t)
			p.Bound()
		}},
		{"a failed meeting", func() {
			p := ended()
			if _, err := m.Pair(query, strange); err == nil {
				t.Fatal("sets of different channels meet")
			}
			p.Bound()
		}},
		{"the zero value", func() { match.Pairing{}.Bound() }},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			test.use()
		})
	}
}

// The score of dense connections is the mean similarity of all pairs: plain with equal weights,
// weighted by both nodes with cross-reference weights.
func TestDense(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 32))
	for _, size := range []struct{ nq, ns int }{{25, 25}, {5, 9}, {1, 1}} {
		query, support := randomSet(rng, size.nq, 20), randomSet(rng, size.ns, 20)
		for _, w := range []match.Weighting{match.Equal{}, match.CrossReference{}} {
			m := match.Matcher{Weighting: w, Solver: new(match.Dense)}
			got, err := m.Match(query, support)
			require.NoError(t, err)
			var mean, total float64
			for i, s := range got.QueryWeights {
				for j, d := range got.SupportWeights {
					mean += s * d * got.Similarity[i*size.ns+j]
					total += s * d
				}
			}
			if want := method.Temperature * mean / total; !near(got.Score, want, 1e-9) {
				t.Errorf("%v, %s: score %v, want %v", size, w, got.Score, want)
			}
			exact := match.Matcher{Weighting: w}
			best, err := exact.Score(query, support)
			if err != nil || best < got.Score-1e-9 {
				t.Errorf("%v, %s: dense connections score %v, the optimum %v (%v)", size, w, got.Score, best, err)
			}
		}
	}
}

// Every solver is close to the exact one. Sinkhorn is closer with less entropy, and approaches
// dense connections with more.
func TestSolvers(t *testing.T) {
	rng := rand.New(rand.NewPCG(33, 34))
	query, support := randomSet(rng, 25, 40), randomSet(rng, 25, 40)
	score := func(s match.Solver) float64 {
		m := match.Matcher{Solver: s}
		v := require.Value(m.Score(query, support))(t)
		return v
	}
	exact, dense := score(nil), score(new(match.Dense))
	tests := []struct {
		name      string
		solver    match.Solver
		want, tol float64
	}{
		{"held", new(solver.ConstantFlow), exact, 1e-12},
		{"interior", new(solver.Interior), exact, 1e-4},
		{"sinkhorn 0.001", &solver.Sinkhorn{Strength: 0.001}, exact, 0.01},
		{"sinkhorn 0.01", new(solver.Sinkhorn), exact, 0.1},
		{"sinkhorn 1000", &solver.Sinkhorn{Strength: 1000}, dense, 0.01},
	}
	last := exact
	for _, test := range tests {
		got := score(test.solver)
		if !near(got, test.want, test.tol) {
			t.Errorf("%s: score %v, want %v ± %v", test.name, got, test.want, test.tol)
		}
		if got > last+1e-4 {
			t.Errorf("%s: score %v is above %v of a solver that is nearer the optimum", test.name, got, last)
		}
		last = got
	}
}
