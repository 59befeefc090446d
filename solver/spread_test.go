package solver_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/solvertest"
	"github.com/deepemd/deepemd/solver"
)

// TestForbiddenPairs compares problems with very large costs of forbidden pairs with the optimum
// from HiGHS.
func TestForbiddenPairs(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(require.Shared(t, "cases/new"), "forbidden-*.json"))
	if err != nil || len(files) == 0 {
		t.Fatal(len(files), err)
	}
	for _, name := range files {
		data := require.Value(os.ReadFile(name))(t)
		var file struct {
			Transport []struct {
				Cost           [][]float64
				Supply, Demand []float64
				Optimum        float64
			}
		}
		require.NoError(t, json.Unmarshal(data, &file))
		var s solver.Simplex
		for i, given := range file.Transport {
			p := solver.Problem{Rows: len(given.Supply), Cols: len(given.Demand), Supply: given.Supply, Demand: given.Demand}
			for _, row := range given.Cost {
				p.Cost = append(p.Cost, row...)
			}
			solution, err := s.Solve(&p)
			if err != nil || !(math.Abs(solution.Objective-given.Optimum) <= 1e-9*given.Optimum) {
				t.Errorf("%s, problem %d: %v (%v), want %v", filepath.Base(name), i, solution.Objective, err, given.Optimum)
			}
		}
	}
}

// TestForbiddingCosts checks that the cost of forbidden pairs does not change the optimum, and that
// the duals prove it.
func TestForbiddingCosts(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var s solver.Simplex
	for trial := range 200 {
		p, forbidden := blocks(r)
		for _, side := range [][]float64{p.Supply, p.Demand} {
			for i := range side {
				side[i] = math.Ldexp(side[i], 40*(trial%3-1))
			}
		}
		with := func(cost float64) *solver.Problem {
			for _, e := range forbidden {
				p.Cost[e] = cost
			}
			return p
		}
		solution := require.Value(s.Solve(with(100)))(t)
		want := solution.Objective
		for _, cost := range []float64{1e6, 1e12, 1e15, 1e18, 1e30, 1e100, 1e300} {
			solution, err := s.Solve(with(cost))
			if err != nil || !(math.Abs(solution.Objective-want) <= 1e-9*want) {
				t.Fatalf("forbidden by %g: %v (%v), want %v", cost, solution.Objective, err, want)
			}
			dual := 0.0
			for i, u := range solution.U {
				dual += u * p.Supply[i]
				for j, v := range solution.V {
					if c := p.Cost[i*p.Cols+j]; u+v > c+1e-9 {
						t.Fatalf("forbidden by %g: duals %v + %v of a pair that costs %v", cost, u, v, c)
					}
				}
			}
			for j, v := range solution.V {
				dual += v * p.Demand[j]
			}
			if !(math.Abs(dual-want) <= 1e-8*want) {
				t.Fatalf("forbidden by %g: the duals prove %v, want %v", cost, dual, want)
			}
		}
	}
}

// blocks returns a problem of two independent halves and the pairs between them.
func blocks(r *rand.Rand) (p *solver.Problem, between []int) {
	m, k := 2+r.IntN(6), 2+r.IntN(6)
	rows, cols := 1+r.IntN(m-1), 1+r.IntN(k-1)
	p = &solver.Problem{Rows: m, Cols: k, Cost: make([]float64, m*k), Supply: make([]float64, m), Demand: make([]float64, k)}
	for i := range m {
		for j := range k {
			if p.Cost[i*k+j] = r.Float64(); (i < rows) != (j < cols) {
				between = append(between, i*k+j)
				continue
			}
			w := float64(1 + r.IntN(9))
			p.Supply[i] += w
			p.Demand[j] += w
		}
	}
	return p, between
}

// TestUnavoidable checks problems in which a small weight must pay a large cost: the other costs still count.
func TestUnavoidable(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var s solver.Simplex
	for trial := range 200 {
		n := 2 + r.IntN(7)
		small := &solver.Problem{Rows: n, Cols: n, Supply: make([]float64, n), Demand: make([]float64, n)}
		large := *small
		for j := range n {
			large.Demand[j] = r.Float64()
		}
		toll := 0.0
		for i := range n {
			exponent := 45 * (r.IntN(4) / 3)
			if large.Supply[i] = math.Ldexp(1, -exponent); i == 0 && trial%2 == 0 {
				large.Supply[i] = 0 // only its dual counts
			}
			for range n {
				c := r.Float64() + math.Ldexp(1, exponent)
				large.Cost = append(large.Cost, c)
				small.Cost = append(small.Cost, c-math.Ldexp(1, exponent))
			}
		}
		solvertest.Balance(&large)
		for i, w := range large.Supply {
			toll += w * math.Round(large.Cost[i*n])
		}
		small.Supply, small.Demand = large.Supply, large.Demand
		solution := require.Value(s.Solve(small))(t)
		least := solution.Objective
		solution = require.Value(s.Solve(&large))(t)
		// The cost without the tolls, which are the same for all flows.
		got := 0.0
		for e, f := range solution.Flow {
			got += f * small.Cost[e]
		}
		if got > least+2*solver.Gap*(toll+least) {
			t.Fatalf("the flow costs %v beside tolls of %v, want %v", got, toll, least)
		}
		proved := 0.0
		for i, u := range solution.U {
			proved += u * large.Supply[i]
			for j, v := range solution.V {
				if c := large.Cost[i*n+j]; u+v > c+1e-9*math.Abs(c) {
					t.Fatalf("duals %v + %v of a pair that costs %v", u, v, c)
				}
			}
		}
		for j, v := range solution.V {
			proved += v * large.Demand[j]
		}
		if want := solution.Objective; !(math.Abs(proved-want) <= 2*solver.Gap*want) {
			t.Fatalf("the duals prove %v, want %v", proved, want)
		}
	}
}
