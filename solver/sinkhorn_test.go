package solver_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/solver"
)

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
		for i := range n { // weights of very different sizes
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
				if math.Abs(sent-p.Supply[i]) > 1e-9 {
					t.Errorf("strength %v: row %d sends %v of %v", strength, i, sent, p.Supply[i])
				}
			}
		}
	}
}
