package convert

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"

	"github.com/spf13/cobra"

	"github.com/deepemd/deepemd/solver"
	"github.com/deepemd/deepemd/tools/deepemd/internal/fault"
	"github.com/deepemd/deepemd/tools/deepemd/internal/verb"
	"github.com/deepemd/deepemd/trainer/format/artifact"
)

func init() { verb.Register(verb.Convert, newEmdCommand) }

// newEmdCommand returns the command that solves transport problems.
func newEmdCommand() *cobra.Command {
	var in, out string
	command := &cobra.Command{
		Use:   "emd --in problems.json",
		Short: "Solve transport problems exactly",
		Long: "Solve balanced transport problems by the exact simplex method and print, as JSON, each one's optimum,\n" +
			"flow and duals. The file holds {\"transport\": [problem, …]}, a list of problems, or one problem:\n\n" +
			"  {\"cost\": [[1, 4, 6], [3, 2, 1]], \"supply\": [5, 7], \"demand\": [4, 3, 5]}\n\n" +
			"A problem may name its \"kind\" and its known \"optimum\", to which the result then tells the relative\n" +
			"difference.",
		Example: "  deepemd emd --in problems.json\n  deepemd emd --in problems.json --out solutions.json",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if in == "" {
				return errors.New("--in is missing: give the file of problems, - for standard input")
			}
			solutions, err := solveFile(in, cmd.InOrStdin())
			if err != nil {
				return err
			}
			write := func(w io.Writer) error { return json.NewEncoder(w).Encode(solutions) }
			if out != "" {
				return artifact.Write(out, write)
			}
			return write(cmd.OutOrStdout())
		},
	}
	command.Flags().StringVar(&in, "in", "", "JSON file of problems; - for standard input")
	command.Flags().StringVar(&out, "out", "", "write the solutions to this file, not to standard output")
	return command
}

// transportProblem is a problem as files have it.
type transportProblem struct {
	Kind    string      `json:"kind"`
	Cost    [][]float64 `json:"cost"` // rows × columns
	Supply  []float64   `json:"supply"`
	Demand  []float64   `json:"demand"`
	Optimum *float64    `json:"optimum"`
}

// transportSolution is what is printed of one problem.
type transportSolution struct {
	Kind       string      `json:"kind,omitempty"`
	Optimum    float64     `json:"optimum"`
	Difference *float64    `json:"relativeDifference,omitempty"` // from the known optimum
	Flow       [][]float64 `json:"flow"`                         // rows × columns
	U          []float64   `json:"u"`                            // duals of the rows
	V          []float64   `json:"v"`                            // and of the columns
	Pivots     int         `json:"pivots"`
}

// solveFile reads and solves the problems of a file.
func solveFile(path string, stdin io.Reader) ([]transportSolution, error) {
	var raw []byte
	var err error
	if path == "-" {
		raw, err = io.ReadAll(stdin)
	} else {
		raw, err = os.ReadFile(path)
	}
	if err != nil {
		return nil, fault.Readable(err)
	}
	problems, err := parseProblems(raw)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	var simplex solver.Simplex
	solutions := make([]transportSolution, 0, len(problems))
	for i, p := range problems {
		s, err := p.solve(&simplex)
		if err != nil {
			name := fmt.Sprintf("problem %d", i+1)
			if p.Kind != "" {
				name += fmt.Sprintf(" (%s)", p.Kind)
			}
			return nil, fmt.Errorf("%s: %s: %w", path, name, err)
		}
		solutions = append(solutions, s)
	}
	return solutions, nil
}

// parseProblems accepts the three forms of a file.
func parseProblems(raw []byte) ([]transportProblem, error) {
	const forms = `want {"transport": [problem, …]}, a list of problems, or one problem with cost, supply and demand`
	if bytes.HasPrefix(bytes.TrimSpace(raw), []byte("[")) {
		var list []transportProblem
		if err := json.Unmarshal(raw, &list); err != nil {
			return nil, fmt.Errorf("not a list of problems: %w: %s", err, forms)
		}
		if len(list) == 0 {
			return nil, fmt.Errorf("no problems: %s", forms)
		}
		return list, nil
	}
	var file struct {
		Transport []transportProblem `json:"transport"`
		transportProblem
	}
	if err := json.Unmarshal(raw, &file); err != nil {
		return nil, fmt.Errorf("not a file of problems: %w: %s", err, forms)
	}
	switch {
	case len(file.Transport) > 0:
		return file.Transport, nil
	case file.Cost != nil:
		return []transportProblem{file.transportProblem}, nil
	}
	return nil, fmt.Errorf("no problems: %s", forms)
}

// solve solves one problem.
func (p *transportProblem) solve(simplex *solver.Simplex) (transportSolution, error) {
	problem := solver.Problem{Rows: len(p.Supply), Cols: len(p.Demand), Supply: p.Supply, Demand: p.Demand}
	if len(p.Cost) != problem.Rows {
		return transportSolution{}, fmt.Errorf("%d rows of costs for %d supplies: give one row a supply", len(p.Cost), problem.Rows)
	}
	for i, row := range p.Cost {
		if len(row) != problem.Cols {
			return transportSolution{}, fmt.Errorf("row %d has %d costs for %d demands: give one cost a demand", i+1, len(row), problem.Cols)
		}
		problem.Cost = append(problem.Cost, row...)
	}
	s, err := simplex.Solve(&problem)
	if err != nil {
		return transportSolution{}, err
	}
	result := transportSolution{
		Kind: p.Kind, Optimum: s.Objective, Pivots: s.Pivots,
		U: append([]float64(nil), s.U...), V: append([]float64(nil), s.V...),
	}
	for i := range problem.Rows {
		result.Flow = append(result.Flow, append([]float64(nil), s.Flow[i*problem.Cols:][:problem.Cols]...))
	}
	if p.Optimum != nil {
		difference := math.Abs(s.Objective - *p.Optimum)
		if *p.Optimum != 0 {
			difference /= math.Abs(*p.Optimum)
		}
		result.Difference = &difference
	}
	return result, nil
}
