package conformance

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"deepemd/solver"
)

// transport solves the reference's transport problems; each optimum is compared
// with that of an independent solver.
func transport(shared string) ([]Check, error) {
	path := filepath.Join(shared, "reference", "transport.json")
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var file struct {
		Transport []struct {
			Kind           string
			Cost           [][]float64
			Supply, Demand []float64
			Optimum        float64
		}
	}
	if err := json.Unmarshal(raw, &file); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	var got, want []float64
	var simplex solver.Simplex
	for i, p := range file.Transport {
		problem := solver.Problem{Rows: len(p.Supply), Cols: len(p.Demand), Supply: p.Supply, Demand: p.Demand}
		for _, row := range p.Cost {
			problem.Cost = append(problem.Cost, row...)
		}
		solution, err := simplex.Solve(&problem)
		if err != nil {
			return nil, fmt.Errorf("%s: problem %d (%s): %w", path, i+1, p.Kind, err)
		}
		got, want = append(got, solution.Objective), append(want, p.Optimum)
	}
	return []Check{compare("transport problems: optimum", Relative, 1e-9, got, want)}, nil
}
