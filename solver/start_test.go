package solver_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/solvertest"
	"github.com/deepemd/deepemd/solver"
)

// TestSolveFromIsExact checks that the flow is optimal for any starting basis.
func TestSolveFromIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s solver.Simplex
		var b solver.Basis
		for range rapid.IntRange(1, 4).Draw(t, "problems before") {
			if _, err := s.SolveFrom(problems(12).Draw(t, "before"), &b); err != nil {
				t.Fatalf("%v", err)
			}
		}
		p := problems(12).Draw(t, "problem")
		if rapid.Bool().Draw(t, "same costs") {
			q := *p
			q.Supply, q.Demand = slices.Clone(p.Supply), slices.Clone(p.Demand)
			for i := range q.Supply {
				q.Supply[i] *= rapid.Float64Range(0.5, 2).Draw(t, "factor")
			}
			solvertest.Balance(&q)
			if _, err := s.SolveFrom(&q, &b); err != nil {
				t.Fatalf("%v", err)
			}
		}
		from, err := s.SolveFrom(p, &b)
		if err != nil {
			t.Fatalf("%v", err)
		}
		solvertest.Certify(t, p, from)
		objective := from.Objective
		plain, err := s.SolveFrom(p, nil)
		if err != nil {
			t.Fatalf("%v", err)
		}
		if scale := largest(p.Cost) * sum(p.Supply); !(math.Abs(objective-plain.Objective) <= 1e-9*scale) {
			t.Fatalf("objective %g, without a basis %g", objective, plain.Objective)
		}
		paid := 0.0
		for e, x := range plain.Flow {
			paid += math.Abs(p.Cost[e]) * x
		}
		again, err := s.SolveFrom(p, &b)
		if err != nil {
			t.Fatalf("from its own basis: %v", err)
		}
		// If the largest costs leave few bits for the others, solving again lowers or refines costs,
		// and the basis may not be optimal for the rounded ones.
		if coarse := largest(p.Cost)*sum(p.Supply) > 1e5*paid; again.Pivots != 0 && !coarse {
			t.Fatalf("from its own basis: %d pivots", again.Pivots)
		}
		solvertest.Certify(t, p, again)
	})
}

// A row that takes the rest of its column must not prevent restoring the old basis.
func TestSolveFromDegenerateBasis(t *testing.T) {
	p := &solver.Problem{
		Rows: 2, Cols: 5,
		Cost:   []float64{1, 1, 1, 1, 0, 1.5, 0, 1.5, 1.5, 1.5},
		Supply: []float64{2, 1}, Demand: []float64{1, 0.5, 0.5, 0.5, 0.5},
	}
	var s solver.Simplex
	var b solver.Basis
	for round := range 3 {
		sol := require.Value(s.SolveFrom(p, &b))(t)
		solvertest.Certify(t, p, sol)
		if round > 0 && sol.Pivots != 0 {
			t.Errorf("round %d: %d pivots from its own basis", round, sol.Pivots)
		}
	}
}

// Similar problems, as in consecutive frames, need few pivots.
func TestSolveFromSavesPivots(t *testing.T) {
	var s solver.Simplex
	with, without := 0, 0
	for seed := range uint64(20) {
		var b solver.Basis
		for _, p := range sequence(25, 10, seed) {
			sol := require.Value(s.Solve(p))(t)
			without += sol.Pivots
			sol = require.Value(s.SolveFrom(p, &b))(t)
			solvertest.Certify(t, p, sol)
			with += sol.Pivots
		}
	}
	if 2*with > without {
		t.Errorf("%d pivots from earlier bases, %d without: want less than half", with, without)
	}
	t.Logf("%d pivots from earlier bases, %d without", with, without)
}

func BenchmarkSolveFrom(b *testing.B) {
	problems := sequence(25, 50, 1)
	for name, basis := range map[string]*solver.Basis{"warm": {}, "cold": nil} {
		b.Run(name, func(b *testing.B) {
			var s solver.Simplex
			i := 0
			for b.Loop() {
				p := problems[i%len(problems)]
				var err error
				if basis != nil {
					_, err = s.SolveFrom(p, basis)
				} else {
					_, err = s.Solve(p)
				}
				require.NoError(b, err)
				i++
			}
			b.ReportMetric(float64(i)/b.Elapsed().Seconds(), "problems/s")
		})
	}
}

// sequence returns problems with small differences, as during learning.
func sequence(n, count int, seed uint64) []*solver.Problem {
	rng := rand.New(rand.NewPCG(seed, 7))
	p := solvertest.Cosine(n, seed)
	list := []*solver.Problem{p}
	for len(list) < count {
		next := &solver.Problem{Rows: n, Cols: n}
		for _, c := range p.Cost {
			next.Cost = append(next.Cost, c+0.002*rng.NormFloat64())
		}
		for _, w := range p.Supply {
			next.Supply = append(next.Supply, w*(1+0.01*rng.NormFloat64()))
		}
		for _, w := range p.Demand {
			next.Demand = append(next.Demand, w*(1+0.01*rng.NormFloat64()))
		}
		solvertest.Balance(next)
		list = append(list, next)
		p = next
	}
	return list
}

func largest(values []float64) (top float64) {
	for _, v := range values {
		top = max(top, math.Abs(v))
	}
	return top
}

func sum(values []float64) (total float64) {
	for _, v := range values {
		total += v
	}
	return total
}
