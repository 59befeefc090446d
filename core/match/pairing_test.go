package match_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/deepemd/deepemd/core/match"
	"github.com/deepemd/deepemd/internal/require"
)

func prepared(t *testing.T, m *match.Matcher, rng *rand.Rand, n, c int) *match.Prepared {
	t.Helper()
	p := require.Value(m.Prepare(randomSet(rng, n, c)))(t)
	return p
}

// A bound is at least the score, and a warm start does not change the score.
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
		if bound < score-1e-9 {
			t.Errorf("bound %v is below the score %v", bound, score)
		}
		for range 2 {
			if found, err = pairing.SolveFrom(&memory); err != nil || math.Abs(found.Score-score) > 1e-9 {
				t.Errorf("from memory: score %v, error %v; want %v", found.Score, err, score)
			}
		}
		if whole, err := m.ScorePrepared(query, support); err != nil || math.Abs(whole-score) > 1e-9 {
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
