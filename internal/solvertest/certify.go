package solvertest

import (
	"math"

	"github.com/deepemd/deepemd/solver"
)

// Failer is what the T of testing, and that of a property test, do here.
type Failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

// Certify fails unless the solution is feasible and its duals prove that it is
// optimal: complementary slackness, and no gap between the two objectives.
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
