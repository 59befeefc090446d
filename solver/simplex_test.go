package solver_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize/convex/lp"
	"pgregory.net/rapid"

	"github.com/deepemd/deepemd/internal/bombs"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/solvertest"
	"github.com/deepemd/deepemd/solver"
)

// problems draws kinds of problems that have broken such solvers: ties, equal weights, zero
// weights, many magnitudes, negative and constant costs.
func problems(maxSide int) *rapid.Generator[*solver.Problem] {
	return rapid.Custom(func(t *rapid.T) *solver.Problem {
		m, k := rapid.IntRange(1, maxSide).Draw(t, "rows"), rapid.IntRange(1, maxSide).Draw(t, "columns")
		costs := rapid.OneOf(
			rapid.Float64Range(-1, 2),
			rapid.Map(rapid.IntRange(0, 3), func(i int) float64 { return float64(i) }),
			rapid.Just(1.5),
			rapid.Map(rapid.Float64Range(-30, 30), func(e float64) float64 { return math.Pow(10, e) }),
		)
		weights := rapid.OneOf(
			rapid.Float64Range(0, 1),
			rapid.Map(rapid.IntRange(0, 2), func(i int) float64 { return float64(i) }),
			rapid.Just(1.),
			rapid.Map(rapid.Float64Range(-8, 0), func(e float64) float64 { return math.Pow(10, e) }),
		)
		p := &solver.Problem{
			Rows: m, Cols: k,
			Cost:   rapid.SliceOfN(costs, m*k, m*k).Draw(t, "cost"),
			Supply: rapid.SliceOfN(weights, m, m).Draw(t, "supply"),
			Demand: rapid.SliceOfN(weights, k, k).Draw(t, "demand"),
		}
		p.Supply[0]++
		p.Demand[0]++
		solvertest.Balance(p)
		return p
	})
}

func TestSolutionsAreCertified(t *testing.T) {
	var s solver.Simplex
	rapid.Check(t, func(t *rapid.T) {
		p := problems(30).Draw(t, "problem")
		solution, err := s.Solve(p)
		if err != nil {
			t.Fatal(err)
		}
		solvertest.Certify(t, p, solution)
	})
}

func TestLargeAndUneven(t *testing.T) {
	var s solver.Simplex
	r := rand.New(rand.NewPCG(1, 1))
	for _, c := range [][2]int{{1, 400}, {400, 1}, {300, 300}, {7, 500}, {513, 40}} {
		for _, equal := range []bool{false, true} {
			p := &solver.Problem{Rows: c[0], Cols: c[1], Cost: make([]float64, c[0]*c[1]), Supply: make([]float64, c[0]), Demand: make([]float64, c[1])}
			for i := range p.Cost {
				p.Cost[i] = r.Float64()
			}
			for _, side := range [][]float64{p.Supply, p.Demand} {
				for i := range side {
					side[i] = 1
					if !equal {
						side[i] = r.Float64()
					}
				}
			}
			solvertest.Balance(p)
			solution := require.Value(s.Solve(p))(t)
			solvertest.Certify(t, p, solution)
		}
	}
}

// TestAgreesWithGonum compares small problems with gonum's simplex method.
func TestAgreesWithGonum(t *testing.T) {
	var s solver.Simplex
	r := rand.New(rand.NewPCG(2, 2))
	for range 50 {
		m, k := 1+r.IntN(5), 1+r.IntN(5)
		p := &solver.Problem{Rows: m, Cols: k, Cost: make([]float64, m*k), Supply: make([]float64, m), Demand: make([]float64, k)}
		for i := range p.Cost {
			p.Cost[i] = r.NormFloat64()
		}
		for _, side := range [][]float64{p.Supply, p.Demand} {
			for i := range side {
				side[i] = 0.1 + r.Float64()
			}
		}
		solvertest.Balance(p)
		// One equation follows from the others and must be left out.
		a, b := mat.NewDense(m+k-1, m*k, nil), make([]float64, m+k-1)
		for i := range m {
			for j := range k {
				a.Set(i, i*k+j, 1)
				if j < k-1 {
					a.Set(m+j, i*k+j, 1)
				}
			}
		}
		copy(b, p.Supply)
		copy(b[m:], p.Demand[:k-1])
		want, _, err := lp.Simplex(p.Cost, a, b, 1e-12, nil)
		if err != nil {
			continue // gonum's needs a basis that it does not always find
		}
		got := require.Value(s.Solve(p))(t)
		if !(math.Abs(got.Objective-want) <= 1e-8*(1+math.Abs(want))) {
			t.Errorf("%d×%d: optimum %g, gonum says %g", m, k, got.Objective, want)
		}
	}
}

func TestExtremeMagnitudes(t *testing.T) {
	var s solver.Simplex
	for _, cost := range []float64{1e-300, 1e-30, 1, 1e30, 1e300} {
		for _, weight := range []float64{1e-300, 1, 1e300} {
			p := &solver.Problem{Rows: 2, Cols: 2, Cost: []float64{cost, 3 * cost, 2 * cost, cost}, Supply: []float64{weight, weight}, Demand: []float64{weight, weight}}
			solution, err := s.Solve(p)
			if math.IsInf(cost*weight, 1) {
				if !errors.Is(err, solver.ErrOverflow) {
					t.Errorf("costs of %g, weights of %g: error %v, want %v", cost, weight, err, solver.ErrOverflow)
				}
				continue
			}
			require.NoError(t, err)
			if solution.Flow[0] != weight || solution.Flow[3] != weight || solution.Flow[1] != 0 || solution.Flow[2] != 0 {
				t.Errorf("costs of %g, weights of %g: flow %v", cost, weight, solution.Flow)
			}
		}
	}
}

// TestCostsThatNobodyPays checks that large costs of nodes without weight do not affect the
// precision of other costs.
func TestCostsThatNobodyPays(t *testing.T) {
	var s solver.Simplex
	// In both directions: if costs were rounded away, one of them would be wrong.
	for _, cost := range [][]float64{
		{1, 3, 1e30, 2, 1, 1e30, 1e30, 1e30, -1e30},
		{3, 1, 1e30, 1, 2, 1e30, 1e30, 1e30, -1e30},
	} {
		p := &solver.Problem{Rows: 3, Cols: 3, Cost: cost, Supply: []float64{1, 1, 0}, Demand: []float64{1, 1, 0}}
		solution := require.Value(s.Solve(p))(t)
		solvertest.Certify(t, p, solution)
		if solution.Objective != 2 {
			t.Errorf("costs %v: optimum %g, want 2", cost, solution.Objective)
		}
	}
}

func TestBadProblems(t *testing.T) {
	good := func() *solver.Problem {
		return &solver.Problem{Rows: 2, Cols: 2, Cost: []float64{1, 2, 3, 4}, Supply: []float64{1, 1}, Demand: []float64{1, 1}}
	}
	cases := []struct {
		name  string
		spoil func(p *solver.Problem)
		want  error
	}{
		{"no rows", func(p *solver.Problem) { p.Rows = 0 }, solver.ErrEmpty},
		{"negative columns", func(p *solver.Problem) { p.Cols = -2 }, solver.ErrEmpty},
		{"too many", func(p *solver.Problem) { p.Rows = math.MaxInt }, solver.ErrShape},
		{"short cost", func(p *solver.Problem) { p.Cost = p.Cost[:3] }, solver.ErrShape},
		{"short supply", func(p *solver.Problem) { p.Supply = p.Supply[:1] }, solver.ErrShape},
		{"long demand", func(p *solver.Problem) { p.Demand = append(p.Demand, 1) }, solver.ErrShape},
		{"NaN cost", func(p *solver.Problem) { p.Cost[2] = math.NaN() }, solver.ErrNotFinite},
		{"infinite cost", func(p *solver.Problem) { p.Cost[2] = math.Inf(-1) }, solver.ErrNotFinite},
		{"NaN supply", func(p *solver.Problem) { p.Supply[1] = math.NaN() }, solver.ErrNotFinite},
		{"infinite demand", func(p *solver.Problem) { p.Demand[0] = math.Inf(1) }, solver.ErrNotFinite},
		{"negative supply", func(p *solver.Problem) { p.Supply = []float64{3, -1} }, solver.ErrNegative},
		{"negative demand", func(p *solver.Problem) { p.Demand = []float64{-0.5, 2.5} }, solver.ErrNegative},
		{"unbalanced", func(p *solver.Problem) { p.Demand[0] = 1.001 }, solver.ErrUnbalanced},
		{"nothing demanded", func(p *solver.Problem) { p.Demand = []float64{0, 0} }, solver.ErrUnbalanced},
		{"infinite optimum", func(p *solver.Problem) {
			p.Cost = []float64{1e308, 1e308, 1e308, 1e308}
		}, solver.ErrOverflow},
		{"infinite dual", func(p *solver.Problem) {
			p.Cost = []float64{1.7e308, -1.7e308, 1.7e308, -1.7e308} // that nothing takes
			p.Supply, p.Demand = []float64{0.25, 0.25}, []float64{0.5, 0}
		}, solver.ErrOverflow},
		{"no weight", func(p *solver.Problem) { p.Supply, p.Demand = []float64{0, 0}, []float64{0, 0} }, solver.ErrEmpty},
	}
	var s solver.Simplex
	for _, c := range cases {
		p := good()
		c.spoil(p)
		if _, err := s.Solve(p); !errors.Is(err, c.want) {
			t.Errorf("%s: error %v, want %v", c.name, err, c.want)
		}
	}
}

// TestErrorTexts checks that an error names the thing, the kind and the remedy.
func TestErrorTexts(t *testing.T) {
	p := solver.Problem{Rows: 2, Cols: 2, Cost: make([]float64, 4), Supply: []float64{1, 1}, Demand: []float64{0.5, 1}}
	_, simplex := new(solver.Simplex).Solve(&p)
	_, unbalanced := new(solver.Interior).Forward(&p)
	p.Demand[0] = 1
	_, interior := (&solver.Interior{Epsilon: -1}).Forward(&p)
	_, sinkhorn := (&solver.Sinkhorn{Strength: -1}).Forward(&p)
	const sums = "solver: supplies sum to 2, demands to 1.5: unbalanced; scale one side to the sum of the other"
	for _, c := range []struct {
		err  error
		want string
	}{
		{simplex, sums}, {unbalanced, sums},
		{interior, "solver: quadratic term -1; want a positive one"}, {sinkhorn, "solver: entropy of strength -1; want a positive one"},
	} {
		if c.err == nil || c.err.Error() != c.want {
			t.Errorf("%v, want %s", c.err, c.want)
		}
	}
}

// TestRoundedWeights checks that Solve scales demands whose sum differs by rounding to the sum of
// the supplies.
func TestRoundedWeights(t *testing.T) {
	var s solver.Simplex
	for _, more := range []float64{0, 1e-12, 1e-7, 9e-7, -9e-7} { // the last ones like rounding to float32
		p := &solver.Problem{Rows: 2, Cols: 3, Cost: []float64{1, 2, 5, 3, 4, 1}, Supply: []float64{1, 1}, Demand: []float64{0.5, 0.75 + 2*more, 0.75}}
		solution, err := s.Solve(p)
		if err != nil {
			t.Errorf("%g more demand: %v", more, err)
			continue
		}
		for x, w := range append(p.Supply, p.Demand...) {
			sum := 0.0
			for e, f := range solution.Flow {
				if x == e/3 || x == 2+e%3 {
					sum += f
				}
			}
			if x >= 2 {
				w /= 1 + more
			}
			if !(math.Abs(sum-w) <= 1e-14) {
				t.Errorf("%g more demand: node %d ships %v of %v", more, x, sum, w)
			}
		}
	}
}

func TestSteadyStateDoesNotAllocate(t *testing.T) {
	var s solver.Simplex
	list := solvertest.Cosines(25, 8, 1)
	for _, p := range list {
		require.Value(s.Solve(p))(t)
	}
	allocations := testing.AllocsPerRun(20, func() {
		for _, p := range list {
			require.Value(s.Solve(p))(t)
		}
	})
	if allocations != 0 {
		t.Errorf("%g allocations for %d problems, want none", allocations, len(list))
	}
}

// FuzzSolve checks that Solve returns an optimum or an error for any bytes.
func FuzzSolve(f *testing.F) {
	f.Add([]byte{2, 3, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2})
	f.Add([]byte{5, 5})
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) < 2 {
			return
		}
		m, k := 1+int(data[0]%12), 1+int(data[1]%12)
		at := 2
		next := func() float64 {
			if at == len(data) {
				at = min(2, len(data)-1)
			}
			at++
			return float64(int8(data[at-1]))
		}
		p := &solver.Problem{Rows: m, Cols: k, Cost: make([]float64, m*k), Supply: make([]float64, m), Demand: make([]float64, k)}
		for i := range p.Cost {
			p.Cost[i] = next()
		}
		for _, side := range [][]float64{p.Supply, p.Demand} {
			for i := range side {
				side[i] = math.Abs(next())
			}
		}
		p.Supply[0]++
		p.Demand[0]++
		solvertest.Balance(p)
		var s solver.Simplex
		var solution solver.Solution
		var err error
		bombs.Budget(t, 1<<20, 1, len(data), func() { solution, err = s.Solve(p) })
		require.NoError(t, err)
		solvertest.Certify(t, p, solution)
	})
}

func TestMixed(t *testing.T) {
	var s solver.Simplex
	for _, p := range solvertest.Mixed(20, 100, 1) {
		solution := require.Value(s.Solve(p))(t)
		solvertest.Certify(t, p, solution)
	}
}

// TestReference solves the published reference's problems.
func TestReference(t *testing.T) {
	data := require.Value(os.ReadFile(require.Shared(t, "reference/transport.json")))(t)
	var file struct {
		Transport []struct {
			Kind           string
			Cost           [][]float64
			Supply, Demand []float64
			Optimum        float64
		}
	}
	require.NoError(t, json.Unmarshal(data, &file))
	var s solver.Simplex
	for i, ref := range file.Transport {
		p := &solver.Problem{Rows: len(ref.Supply), Cols: len(ref.Demand), Supply: ref.Supply, Demand: ref.Demand}
		for _, row := range ref.Cost {
			p.Cost = append(p.Cost, row...)
		}
		sol, err := s.Solve(p)
		if err != nil {
			t.Errorf("%d %s: %v", i, ref.Kind, err)
			continue
		}
		if diff := math.Abs(sol.Objective - ref.Optimum); diff > 1e-9*math.Abs(ref.Optimum) {
			t.Errorf("%d %s %d×%d: optimum %.17g, want %.17g", i, ref.Kind, p.Rows, p.Cols, sol.Objective, ref.Optimum)
		}
	}
}

func BenchmarkSimplex(b *testing.B) {
	for _, n := range []int{9, 16, 25, 49, 100} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			problems := solvertest.Cosines(n, 50, 1)
			var s solver.Simplex
			pivots, i := 0, 0
			for b.Loop() {
				sol := require.Value(s.Solve(problems[i%len(problems)]))(b)
				pivots += sol.Pivots
				i++
			}
			b.ReportMetric(float64(i)/b.Elapsed().Seconds(), "problems/s")
			b.ReportMetric(float64(pivots)/float64(i), "pivots/problem")
		})
	}
}
