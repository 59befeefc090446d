package solver_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/solvertest"
	"github.com/deepemd/deepemd/solver"
)

// TestQuadraticReference compares flow and gradients of the form L2 with the reference's central
// differences.
func TestQuadraticReference(t *testing.T) {
	data := require.Value(os.ReadFile(require.Shared(t, "reference/transport.json")))(t)
	var file struct {
		Quadratic []struct {
			Epsilon              float64
			Cost, Flow, Upstream [][]float64
			Supply, Demand       []float64
			GradCost             [][]float64 `json:"grad_cost"`
			GradSupply           []float64   `json:"grad_supply_minus_first"`
			GradDemand           []float64   `json:"grad_demand_minus_first"`
		}
	}
	require.NoError(t, json.Unmarshal(data, &file))
	if len(file.Quadratic) == 0 {
		t.Fatal("no problems")
	}
	for i, q := range file.Quadratic {
		p := &solver.Problem{Rows: len(q.Supply), Cols: len(q.Demand), Cost: flat(q.Cost), Supply: q.Supply, Demand: q.Demand}
		s := solver.Interior{Epsilon: q.Epsilon}
		flow := require.Value(s.Forward(p))(t)
		within(t, fmt.Sprint("flow ", i), flow, flat(q.Flow), 1e-7)
		var g solver.Gradient
		require.NoError(t, s.Backward(&g, flat(q.Upstream)))
		within(t, fmt.Sprint("gradient by costs ", i), g.Cost, flat(q.GradCost), 1e-4)
		within(t, fmt.Sprint("gradient by supplies ", i), minusFirst(g.Supply), q.GradSupply, 1e-4)
		within(t, fmt.Sprint("gradient by demands ", i), minusFirst(g.Demand), q.GradDemand, 1e-4)
	}
}

func flat(rows [][]float64) (all []float64) {
	for _, r := range rows {
		all = append(all, r...)
	}
	return all
}

func minusFirst(v []float64) []float64 {
	out := make([]float64, len(v))
	for i := range v {
		out[i] = v[i] - v[0]
	}
	return out
}

func within(t *testing.T, what string, got, want []float64, tol float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d values, want %d", what, len(got), len(want))
	}
	for i, w := range want {
		if !(math.Abs(got[i]-w) <= tol) {
			t.Fatalf("%s: value %d is %.12g, want %.12g", what, i, got[i], w)
		}
	}
}

func randomProblem(r *rand.Rand, m, k int) *solver.Problem {
	p := &solver.Problem{Rows: m, Cols: k, Cost: make([]float64, m*k), Supply: make([]float64, m), Demand: make([]float64, k)}
	for i := range p.Cost {
		p.Cost[i] = 2 * r.Float64()
	}
	for _, side := range [][]float64{p.Supply, p.Demand} {
		for i := range side {
			side[i] = 0.2 + 3*r.Float64()
		}
	}
	solvertest.Balance(p)
	return p
}

func TestLimitIsTheSimplex(t *testing.T) {
	var exact solver.Simplex
	for _, form := range []solver.Form{solver.L2, solver.QP} {
		for i, p := range append(solvertest.Cosines(25, 20, 3), solvertest.Cosines(9, 20, 4)...) {
			want := require.Value(exact.Solve(p))(t)
			last := math.Inf(1)
			for _, epsilon := range []float64{1e-1, 1e-3, 1e-6} {
				s := solver.Interior{Form: form, Epsilon: epsilon}
				flow, err := s.Forward(p)
				if err != nil {
					t.Fatalf("form %d, problem %d, ε %g: %v", form, i, epsilon, err)
				}
				cost := 0.0
				for e, x := range flow {
					cost += x * p.Cost[e]
				}
				above := (cost - want.Objective) / math.Abs(want.Objective)
				if above < -1e-9 || above > last+1e-9 {
					t.Errorf("form %d, problem %d, ε %g: cost above the optimum by %g, before by %g", form, i, epsilon, above, last)
				}
				last = above
			}
			if !(last <= 1e-5) {
				t.Errorf("form %d, problem %d: cost above the optimum by %g at last", form, i, last)
			}
		}
	}
}

// TestImplicitDerivative compares gradients with central differences of the solver itself.
func TestImplicitDerivative(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, form := range []solver.Form{solver.L2, solver.QP} {
		for _, size := range [][2]int{{2, 2}, {3, 5}, {6, 4}, {8, 8}, {1, 4}, {4, 1}} {
			p := randomProblem(r, size[0], size[1])
			s := solver.Interior{Form: form, Epsilon: 0.05}
			upstream := make([]float64, len(p.Cost))
			for i := range upstream {
				upstream[i] = r.NormFloat64()
			}
			require.Value(s.Forward(p))(t)
			var g solver.Gradient
			require.NoError(t, s.Backward(&g, upstream))
			probe := solver.Interior{Form: form, Epsilon: 0.05}
			loss := func() float64 {
				flow := require.Value(probe.Forward(p))(t)
				sum := 0.0
				for e, x := range flow {
					sum += x * upstream[e]
				}
				return sum
			}
			const h = 1e-5
			difference := func(move func(by float64)) float64 {
				move(h)
				up := loss()
				move(-2 * h)
				down := loss()
				move(h)
				return (up - down) / (2 * h)
			}
			check := func(what string, got, want float64) {
				t.Helper()
				if !(math.Abs(got-want) <= 1e-4*(1+math.Abs(want))) {
					t.Errorf("form %d, %v, %s: %g, differences give %g", form, size, what, got, want)
				}
			}
			for e := range p.Cost {
				check(fmt.Sprint("cost ", e), g.Cost[e], difference(func(by float64) { p.Cost[e] += by }))
			}
			for i := range p.Supply {
				for j := range p.Demand {
					check(fmt.Sprint("supply ", i, " with demand ", j), g.Supply[i]+g.Demand[j],
						difference(func(by float64) { p.Supply[i] += by; p.Demand[j] += by }))
				}
			}
		}
	}
}

// TestLayersOnHardProblems checks margins and gradients for degenerate vertices and weights of many
// magnitudes.
func TestLayersOnHardProblems(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	hard := map[string]*solver.Problem{}
	equal := randomProblem(r, 9, 9)
	for i := range equal.Supply {
		equal.Supply[i], equal.Demand[i] = 1, 1
	}
	hard["equal weights"] = equal
	constant := randomProblem(r, 6, 7)
	for i := range constant.Cost {
		constant.Cost[i] = 0.5
	}
	hard["constant cost"] = constant
	free := randomProblem(r, 5, 5)
	clear(free.Cost)
	hard["no cost"] = free
	negative := randomProblem(r, 5, 8)
	for i := range negative.Cost {
		negative.Cost[i] -= 1
	}
	hard["negative costs"] = negative
	decades := randomProblem(r, 12, 10)
	for i := range decades.Supply {
		decades.Supply[i] = math.Pow(10, -8*r.Float64())
	}
	solvertest.Balance(decades)
	hard["eight decades"] = decades
	zero := randomProblem(r, 6, 6)
	zero.Supply[2], zero.Demand[4] = 0, 0
	solvertest.Balance(zero)
	hard["zero weights"] = zero
	hard["two drawings"] = twoDrawings(t)
	for name, p := range hard {
		layers := map[string]solver.Layer{
			"L2": &solver.Interior{}, "QP": &solver.Interior{Form: solver.QP}, "Sinkhorn": &solver.Sinkhorn{Strength: 0.05}, "ConstantFlow": &solver.ConstantFlow{},
		}
		for kind, layer := range layers {
			flow, err := layer.Forward(p)
			if err != nil {
				t.Errorf("%s, %s: %v", name, kind, err)
				continue
			}
			total := 0.0
			for _, w := range p.Supply {
				total += w
			}
			for i, w := range p.Supply {
				sent := 0.0
				for _, x := range flow[i*p.Cols:][:p.Cols] {
					sent += x
				}
				if !(math.Abs(sent-w) <= 1e-7*total) {
					t.Errorf("%s, %s: row %d sends %g of %g", name, kind, i, sent, w)
				}
			}
			var g solver.Gradient
			upstream := make([]float64, len(flow))
			for i := range upstream {
				upstream[i] = r.NormFloat64()
			}
			if err := layer.Backward(&g, upstream); err != nil {
				t.Errorf("%s, %s: %v", name, kind, err)
			}
			for _, v := range append(append(append([]float64(nil), g.Cost...), g.Supply...), g.Demand...) {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					t.Errorf("%s, %s: a gradient is %g", name, kind, v)
					break
				}
			}
		}
	}
}

// twoDrawings is the match of two drawings on white paper, whose nodes of white have small equal weights.
// Rounding stalls the interior point method before its usual gap.
func twoDrawings(t *testing.T) *solver.Problem {
	var file struct {
		Cost           [][]float64
		Supply, Demand []float64
	}
	require.NoError(t, json.Unmarshal(require.Value(os.ReadFile("testdata/two-drawings.json"))(t), &file))
	p := &solver.Problem{Rows: len(file.Cost), Cols: len(file.Demand), Cost: slices.Concat(file.Cost...), Supply: file.Supply, Demand: file.Demand}
	return p
}

func TestLayerErrors(t *testing.T) {
	bad := &solver.Problem{Rows: 1, Cols: 1, Cost: []float64{math.NaN()}, Supply: []float64{1}, Demand: []float64{1}}
	unbalanced := &solver.Problem{Rows: 1, Cols: 1, Cost: []float64{1}, Supply: []float64{1}, Demand: []float64{2}}
	empty := &solver.Problem{Rows: 1, Cols: 1, Cost: []float64{1}, Supply: []float64{0}, Demand: []float64{0}}
	for _, layer := range []solver.Layer{&solver.Interior{}, &solver.Sinkhorn{}, &solver.ConstantFlow{}} {
		var g solver.Gradient
		if err := layer.Backward(&g, []float64{1}); !errors.Is(err, solver.ErrEmpty) {
			t.Errorf("%T: gradient before a flow gives %v", layer, err)
		}
		if _, err := layer.Forward(bad); !errors.Is(err, solver.ErrNotFinite) {
			t.Errorf("%T: a cost that is no number gives %v", layer, err)
		}
		if _, err := layer.Forward(unbalanced); !errors.Is(err, solver.ErrUnbalanced) {
			t.Errorf("%T: unbalanced weights give %v", layer, err)
		}
		if _, err := layer.Forward(empty); !errors.Is(err, solver.ErrEmpty) {
			t.Errorf("%T: weights of zero give %v", layer, err)
		}
		good := &solver.Problem{Rows: 1, Cols: 1, Cost: []float64{1}, Supply: []float64{1}, Demand: []float64{1}}
		if _, err := layer.Forward(good); err != nil {
			t.Errorf("%T: %v", layer, err)
		}
		if err := layer.Backward(&g, []float64{1, 2}); !errors.Is(err, solver.ErrShape) {
			t.Errorf("%T: a gradient of another shape gives %v", layer, err)
		}
		for _, p := range []*solver.Problem{bad, unbalanced} {
			require.Value(layer.Forward(good))(t)
			if _, err := layer.Forward(p); err == nil {
				t.Errorf("%T: no error for %+v", layer, p)
			}
			if err := layer.Backward(&g, []float64{1}); !errors.Is(err, solver.ErrEmpty) {
				t.Errorf("%T: gradient after a failed flow gives %v", layer, err)
			}
		}
	}
}

func TestLayersOfHugeValues(t *testing.T) {
	huge := []float64{1e308, 1e308}
	for _, layer := range []solver.Layer{&solver.Interior{}, &solver.Sinkhorn{}} {
		if _, err := layer.Forward(&solver.Problem{Rows: 2, Cols: 2, Cost: make([]float64, 4), Supply: huge, Demand: huge}); !errors.Is(err, solver.ErrOverflow) {
			t.Errorf("%T: huge weights give %v", layer, err)
		}
	}
	p := &solver.Problem{Rows: 2, Cols: 1, Cost: []float64{1e307, 1e307}, Supply: []float64{1, 1}, Demand: []float64{2}}
	if flow, err := new(solver.Sinkhorn).Forward(p); !errors.Is(err, solver.ErrConvergence) {
		t.Errorf("huge costs give %v, %v", flow, err)
	}
}

// Two rows and columns of weight 1 leave one free value, x = Flow[0], and the slope of the objective is
// linear in it. For costs 1 2 3 1, c·x = 5−3x: the form L2 has the slope −3+ε(4x−2), QP −3(5−3x)+ε(4x−2).
func TestLayersInClosedForm(t *testing.T) {
	p := &solver.Problem{Rows: 2, Cols: 2, Cost: []float64{1, 2, 3, 1}, Supply: []float64{1, 1}, Demand: []float64{1, 1}}
	for form, x := range map[solver.Form]float64{solver.L2: 0.5 + 3./16, solver.QP: 23. / 25} {
		flow := require.Value((&solver.Interior{Form: form, Epsilon: 4}).Forward(p))(t)
		within(t, fmt.Sprint("form ", form), flow, []float64{x, 1 - x, 1 - x, x}, 1e-9)
	}
}

// The units of costs and weights do not matter: flows scale with the weights, if ε and the entropy
// scale with the costs.
func TestLayersInOtherUnits(t *testing.T) {
	const money, weight = 1 << 300, 1 << 7
	p := randomProblem(rand.New(rand.NewPCG(55, 56)), 5, 4)
	scaled := &solver.Problem{Rows: p.Rows, Cols: p.Cols, Cost: times(p.Cost, money), Supply: times(p.Supply, weight), Demand: times(p.Demand, weight)}
	for _, c := range []struct{ one, other solver.Layer }{
		{&solver.Interior{Epsilon: 0.5}, &solver.Interior{Epsilon: 0.5 * money / weight}},
		{&solver.Interior{Form: solver.QP, Epsilon: 0.5}, &solver.Interior{Form: solver.QP, Epsilon: 0.5 * money * money}},
		{&solver.Sinkhorn{Strength: 0.5}, &solver.Sinkhorn{Strength: 0.5 * money}},
	} {
		want := require.Value(c.one.Forward(p))(t)
		within(t, fmt.Sprintf("%T", c.one), times(require.Value(c.other.Forward(scaled))(t), 1./weight), want, 1e-9)
	}
}

func times(v []float64, factor float64) []float64 {
	out := slices.Clone(v)
	for i := range out {
		out[i] *= factor
	}
	return out
}

// A layer gives the same flow and gradient after other problems as in its first use.
func TestLayersForgetTheLastProblem(t *testing.T) {
	rng := rand.New(rand.NewPCG(57, 58))
	for _, fresh := range []func() solver.Layer{
		func() solver.Layer { return new(solver.Interior) },
		func() solver.Layer { return &solver.Interior{Form: solver.QP} },
		func() solver.Layer { return &solver.Sinkhorn{Strength: 0.5} },
		func() solver.Layer { return &solver.Sinkhorn{Strength: 0.002} }, // reduced in steps
		func() solver.Layer { return new(solver.ConstantFlow) },
	} {
		used := fresh()
		for range 5 {
			p, first := randomProblem(rng, 6, 4), fresh()
			var got, want solver.Gradient
			flow := require.Value(used.Forward(p))(t)
			require.NoError(t, used.Backward(&got, p.Cost))
			if !slices.Equal(flow, require.Value(first.Forward(p))(t)) {
				t.Fatalf("%T: another flow than at first", used)
			}
			require.NoError(t, first.Backward(&want, p.Cost))
			if !slices.Equal(got.Cost, want.Cost) || !slices.Equal(got.Supply, want.Supply) || !slices.Equal(got.Demand, want.Demand) {
				t.Fatalf("%T: another gradient than at first", used)
			}
		}
	}
}

func TestLayersDoNotAllocateInSteadyState(t *testing.T) {
	p := solvertest.Cosine(16, 1)
	upstream := make([]float64, 16*16)
	for i := range upstream {
		upstream[i] = float64(i % 7)
	}
	for _, layer := range []solver.Layer{&solver.Interior{}, &solver.Interior{Form: solver.QP}, &solver.Sinkhorn{Strength: 0.05}, &solver.ConstantFlow{}} {
		var g solver.Gradient
		run := func() {
			require.Value(layer.Forward(p))(t)
			require.NoError(t, layer.Backward(&g, upstream))
		}
		run()
		if n := testing.AllocsPerRun(5, run); n != 0 {
			t.Errorf("%T: %g allocations, want none", layer, n)
		}
	}
}

// BenchmarkLayer is the paper's table of the EMD layer's time: problems forward
// and backward, on one thread.
func BenchmarkLayer(b *testing.B) {
	for _, n := range []int{9, 25} {
		problems := solvertest.Cosines(n, 16, 1)
		upstream := make([]float64, n*n)
		for i := range upstream {
			upstream[i] = math.Sin(float64(i))
		}
		for name, layer := range map[string]solver.Layer{"L2": &solver.Interior{}, "QP": &solver.Interior{Form: solver.QP}, "Sinkhorn": &solver.Sinkhorn{}, "ConstantFlow": &solver.ConstantFlow{}} {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				var g solver.Gradient
				i := 0
				for b.Loop() {
					require.Value(layer.Forward(problems[i%len(problems)]))(b)
					require.NoError(b, layer.Backward(&g, upstream))
					i++
				}
				b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "problems/s")
			})
		}
	}
}

// With little entropy the iteration still converges, to a flow within the entropy's bound of the
// optimum.
func TestSinkhornOfLittleEntropy(t *testing.T) {
	rng := rand.New(rand.NewPCG(51, 52))
	var exact solver.Simplex
	for range 5 {
		const n = 25
		p := solver.Problem{Rows: n, Cols: n, Cost: make([]float64, n*n), Supply: make([]float64, n), Demand: make([]float64, n)}
		for i := range p.Cost {
			p.Cost[i] = 2 * rng.Float64()
		}
		var supply, demand float64
		for i := range n {
			p.Supply[i], p.Demand[i] = math.Pow(rng.Float64(), 4)+1e-4, math.Pow(rng.Float64(), 4)+1e-4
			supply, demand = supply+p.Supply[i], demand+p.Demand[i]
		}
		for i := range n {
			p.Supply[i] /= supply
			p.Demand[i] /= demand
		}
		optimum := require.Value(exact.Solve(&p))(t)
		for _, strength := range []float64{0.1, 0.01, 0.002, 0.0005} {
			s := solver.Sinkhorn{Strength: strength}
			flow, err := s.Forward(&p)
			if err != nil {
				t.Errorf("strength %v: %v", strength, err)
				continue
			}
			cost, rows := 0.0, make([]float64, n)
			for e, x := range flow {
				cost += x * p.Cost[e]
				rows[e/n] += x
			}
			if above := cost - optimum.Objective; above < -1e-9 || above > strength*2*math.Log(n) {
				t.Errorf("strength %v: the flow costs %v more than the optimum", strength, above)
			}
			for i, sent := range rows {
				if !(math.Abs(sent-p.Supply[i]) <= 1e-9) {
					t.Errorf("strength %v: row %d sends %v of %v", strength, i, sent, p.Supply[i])
				}
			}
		}
	}
}

// Between nearly identical sets hardly any weight leaves its node, and rounding keeps the margins from
// the tolerance that Newton's method aims at.
func TestSinkhornOfNearlyIdenticalSets(t *testing.T) {
	rng := rand.New(rand.NewPCG(53, 54))
	for range 20 {
		const n = 25
		p := &solver.Problem{Rows: n, Cols: n, Cost: make([]float64, n*n), Supply: make([]float64, n), Demand: make([]float64, n)}
		for i := range n {
			for j := range n {
				p.Cost[i*n+j] = 1 + 0.1*rng.Float64()
			}
			p.Cost[i*n+i] = 1e-7 * rng.Float64()
			p.Supply[i] = 1
			p.Demand[i] = 1 + 1e-7*rng.Float64()
		}
		solvertest.Balance(p)
		flow := require.Value(new(solver.Sinkhorn).Forward(p))(t)
		for i := range n {
			if sent := flow[i*n+i]; !(math.Abs(sent-1) <= n*solver.Imbalance) {
				t.Fatalf("node %d sends %v to its twin, want 1", i, sent)
			}
		}
	}
}
