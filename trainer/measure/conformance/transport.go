package conformance

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/deepemd/deepemd/solver"
)

// transportSuite is the comparison with the problems of one file.
func transportSuite(path string) Suite {
	return Suite{Name: "transport", files: []string{path}, run: func(_ context.Context, _ Options, report func(Check)) error {
		return compareTransport(path, report)
	}}
}

// compareTransport solves the reference's transport problems and compares each
// optimum with that of an independent solver.
func compareTransport(path string, report func(Check)) error {
	raw, err := os.ReadFile(path)
	if err != nil {
		return err
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
		return fmt.Errorf("%s: %w", path, err)
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
			return fmt.Errorf("%s: problem %d (%s): %w", path, i+1, p.Kind, err)
		}
		got, want = append(got, solution.Objective), append(want, p.Optimum)
	}
	report(compare("transport problems: optimum", Relative, 1e-9, got, want))
	return nil
}
