package conformance

import (
	"context"
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
	problems, _, err := Parse(raw)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	var got, want []float64
	var simplex solver.Simplex
	for i, p := range problems {
		solution, err := p.Solve(&simplex)
		if err != nil {
			return fmt.Errorf("%s: problem %d (%s): %w", path, i+1, p.Kind, err)
		}
		if p.Optimum == nil {
			return fmt.Errorf("%s: problem %d (%s) has no optimum to compare with", path, i+1, p.Kind)
		}
		got, want = append(got, solution.Optimum), append(want, *p.Optimum)
	}
	report(compare("transport problems: optimum", Relative, 1e-9, got, want))
	return nil
}
