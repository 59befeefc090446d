package main

import (
	"math"
	"slices"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/solvertest"
	"github.com/deepemd/deepemd/solver"
)

// put writes problems of one shape into the room, as JavaScript does.
func put(r *sharedMemory, list ...*solver.Problem) {
	values := r.arrange(len(list), list[0].Rows, list[0].Cols)
	for _, part := range []func(*solver.Problem) []float64{
		func(p *solver.Problem) []float64 { return p.Cost },
		func(p *solver.Problem) []float64 { return p.Supply },
		func(p *solver.Problem) []float64 { return p.Demand },
	} {
		for _, p := range list {
			values = values[copy(values, part(p)):]
		}
	}
}

// got reads the solutions from the room, as JavaScript does.
func got(r *sharedMemory) []solver.Solution {
	list := make([]solver.Solution, r.count)
	values := r.values[r.count*(r.rows*r.cols+r.rows+r.cols):]
	take := func(n int) []float64 {
		part := slices.Clone(values[:n])
		values = values[n:]
		return part
	}
	for i := range list {
		list[i].Flow = take(r.rows * r.cols)
	}
	for i := range list {
		list[i].U = take(r.rows)
	}
	for i := range list {
		list[i].V = take(r.cols)
	}
	for i := range list {
		list[i].Objective = take(1)[0]
	}
	return list
}

func TestRoomHoldsManyProblems(t *testing.T) {
	var r sharedMemory
	for _, count := range []int{1, 7, 3} {
		list := solvertest.Cosines(5+count, count, 1)
		for _, p := range list { // rectangular, so that rows and columns cannot be taken for each other
			p.Cols--
			p.Cost = p.Cost[:p.Rows*p.Cols]
			p.Demand[0] += p.Demand[p.Cols]
			p.Demand = p.Demand[:p.Cols]
		}
		put(&r, list...)
		if solved := r.solve(0); solved != count {
			t.Fatalf("%d of %d solved: %s", solved, count, r.fault)
		}
		var s solver.Simplex
		for i, solution := range got(&r) {
			solvertest.Certify(t, list[i], solution)
			want := require.Value(s.Solve(list[i]))(t)
			if solution.Objective != want.Objective || !slices.Equal(solution.Flow, want.Flow) {
				t.Errorf("problem %d of %d: objective %g, want %g", i, count, solution.Objective, want.Objective)
			}
		}
	}
}

func TestRoomSaysWhatIsWrong(t *testing.T) {
	good := func() *solver.Problem {
		return &solver.Problem{Rows: 1, Cols: 2, Cost: []float64{1, 2}, Supply: []float64{1}, Demand: []float64{0.5, 0.5}}
	}
	bad := good()
	bad.Demand[1] = math.NaN()
	for _, c := range []struct {
		list   []*solver.Problem
		solved int
		want   string
	}{
		{[]*solver.Problem{bad}, 0, "demand 1 is NaN: not finite; weights are finite numbers ≥ 0"},
		{[]*solver.Problem{good(), good(), bad, good()}, 2, "problem 2 of 4: demand 1 is NaN: not finite; weights are finite numbers ≥ 0"},
	} {
		var r sharedMemory
		put(&r, c.list...)
		if solved := r.solve(0); solved != c.solved || string(r.fault) != c.want {
			t.Errorf("%d solved, %q; want %d, %q", solved, r.fault, c.solved, c.want)
		}
	}
}

// Differences of sums through float32 are accepted with a tolerance, and only then.
func TestTolerance(t *testing.T) {
	p := &solver.Problem{Rows: 1, Cols: 2, Cost: []float64{1, 2}, Supply: []float64{1}, Demand: []float64{0.5, 0.500005}}
	for tolerance, want := range map[float64]int{0: 0, 1e-7: 0, 1e-5: 1} {
		var r sharedMemory
		put(&r, p)
		if solved := r.solve(tolerance); solved != want {
			t.Errorf("tolerance %g: %d solved, want %d: %s", tolerance, solved, want, r.fault)
		}
		if want == 1 && math.Abs(total(got(&r)[0].Flow)-1) > 1e-12 {
			t.Errorf("the flow sums to %g, the supply to 1", total(got(&r)[0].Flow))
		}
	}
}
