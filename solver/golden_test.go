package solver_test

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"github.com/deepemd/deepemd/internal/golden"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/solver"
)

// TestReference solves the published reference's problems.
func TestReference(t *testing.T) {
	data := require.Value(os.ReadFile(golden.Path(t, "reference/transport.json")))(t)
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
