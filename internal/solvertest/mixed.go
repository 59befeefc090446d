package solvertest

import (
	"math"
	"math/rand/v2"

	"github.com/deepemd/deepemd/solver"
)

// Mixed returns count problems of up to side rows and columns, of all kinds that are difficult for
// solvers: ties, equal weights, zero weights, many orders of magnitude, negative and constant
// costs.
func Mixed(side, count int, seed uint64) []*solver.Problem {
	rng := rand.New(rand.NewPCG(seed, uint64(side)))
	costs := []func() float64{
		func() float64 { return 3*rng.Float64() - 1 },
		func() float64 { return float64(rng.IntN(4)) },
		func() float64 { return 1.5 },
		func() float64 { return math.Pow(10, 60*rng.Float64()-30) },
	}
	weights := []func() float64{
		rng.Float64,
		func() float64 { return float64(rng.IntN(3)) },
		func() float64 { return 1 },
		func() float64 { return math.Pow(10, -8*rng.Float64()) },
	}
	list := make([]*solver.Problem, count)
	for n := range list {
		rows, cols := 1+rng.IntN(side), 1+rng.IntN(side)
		p := &solver.Problem{
			Rows: rows, Cols: cols,
			Cost:   drawn(rows*cols, costs[rng.IntN(len(costs))]),
			Supply: drawn(rows, weights[rng.IntN(len(weights))]),
			Demand: drawn(cols, weights[rng.IntN(len(weights))]),
		}
		p.Supply[0]++ // avoid zero sums
		p.Demand[0]++
		scale := sum(p.Supply) / sum(p.Demand)
		for j := range p.Demand {
			p.Demand[j] *= scale
		}
		list[n] = p
	}
	return list
}

func drawn(n int, draw func() float64) []float64 {
	list := make([]float64, n)
	for i := range list {
		list[i] = draw()
	}
	return list
}

func sum(list []float64) (total float64) {
	for _, x := range list {
		total += x
	}
	return total
}

// Balance scales the demands to the sum of the supplies.
func Balance(p *solver.Problem) {
	supply, demand := 0.0, 0.0
	for _, w := range p.Supply {
		supply += w
	}
	for _, w := range p.Demand {
		demand += w
	}
	for j := range p.Demand {
		p.Demand[j] *= supply / demand
	}
}

// Failer is the common subset of testing.T and of property tests' T.
type Failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

// Certify fails unless the solution is feasible and its duals prove that it is optimal:
// complementary slackness, and equal objectives.
func Certify(t Failer, p *solver.Problem, s solver.Solution) {
	t.Helper()
	scale, total := 1e-300, 1e-300
	for _, c := range p.Cost {
		scale = max(scale, math.Abs(c))
	}
	dual := 0.0
	for i, w := range p.Supply {
		total += w
		dual += w * s.U[i]
	}
	for j, w := range p.Demand {
		dual += w * s.V[j]
	}
	primal := 0.0
	columns := make([]float64, p.Cols)
	positive := 0
	for i := range p.Rows {
		row := 0.0
		for j := range p.Cols {
			e := i*p.Cols + j
			x, slack := s.Flow[e], p.Cost[e]-s.U[i]-s.V[j]
			if x < 0 || math.IsNaN(x) {
				t.Fatalf("flow (%d, %d) is %g", i, j, x)
			}
			if x > 0 {
				positive++
			}
			if slack < -1e-9*scale || x > 0 && slack > 1e-9*scale {
				t.Fatalf("arc (%d, %d) with flow %g has slack %g at costs up to %g", i, j, x, slack, scale)
			}
			row += x
			columns[j] += x
			primal += x * p.Cost[e]
		}
		if math.Abs(row-p.Supply[i]) > 1e-9*total {
			t.Fatalf("row %d sends %g of %g", i, row, p.Supply[i])
		}
	}
	for j, got := range columns {
		if math.Abs(got-p.Demand[j]) > 1e-9*total {
			t.Fatalf("column %d gets %g of %g", j, got, p.Demand[j])
		}
	}
	if positive > p.Rows+p.Cols-1 {
		t.Fatalf("%d arcs carry flow, a basis has %d", positive, p.Rows+p.Cols-1)
	}
	if gap := math.Abs(primal - dual); gap > 1e-9*scale*total {
		t.Fatalf("objective %g, dual objective %g", primal, dual)
	}
	if math.Abs(primal-s.Objective) > 1e-9*scale*total {
		t.Fatalf("objective %g is given as %g", primal, s.Objective)
	}
}
