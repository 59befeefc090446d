package convert

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/deepemd/deepemd/internal/atomicfile"
	"github.com/deepemd/deepemd/internal/namedfile"
	"github.com/deepemd/deepemd/solver"
	"github.com/deepemd/deepemd/tools/deepemd/internal/verb"
)

func init() { verb.Register(verb.Convert, newEmdCommand) }

func newEmdCommand() *cobra.Command {
	var in, out string
	var output verb.Output
	command := &cobra.Command{
		Use:   "emd --in problems.json",
		Short: "Solve transport problems exactly",
		Long: "Solve balanced transport problems by the exact simplex method, and print the optimum, flow and duals of each\n" +
			"as JSON. The file holds {\"transport\": [problem, …]}, a list of problems, or one problem:\n\n" +
			"  {\"cost\": [[1, 4, 6], [3, 2, 1]], \"supply\": [5, 7], \"demand\": [4, 3, 5]}\n\n" +
			"A problem may have a \"kind\" and its known \"optimum\", from which the result states the relative difference.\n" +
			"The result of an unsolvable problem is its \"error\", and the exit code is 1.",
		Example: "  deepemd emd --in problems.json\n  deepemd emd --in problems.json --out solutions.json",
		Args:    verb.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if in == "" {
				return errors.New("--in is missing: give the file of problems, - for standard input")
			}
			if err := output.Check(out, []string{in}, verb.Begins(`[{"optimum":`, `[{"error":`)); err != nil {
				return err
			}
			solutions, err := solveFile(in, cmd.InOrStdin(), cmd.ErrOrStderr())
			if solutions == nil {
				return err
			}
			write := func(w io.Writer) error { return json.NewEncoder(w).Encode(solutions) }
			if out != "" {
				return errors.Join(atomicfile.Write(out, write), err)
			}
			return errors.Join(write(cmd.OutOrStdout()), err)
		},
	}
	output.Register(command.Flags())
	command.Flags().StringVar(&in, "in", "", "JSON file of problems; - for standard input")
	command.Flags().StringVar(&out, "out", "", "write the solutions to this file, not to standard output")
	return command
}

// solveFile reads and solves the problems of a file. It returns a solution or an unsolved for each,
// possibly together with an error.
func solveFile(path string, stdin io.Reader, stderr io.Writer) (solutions []any, err error) {
	var raw []byte
	if path == "-" {
		raw, err = namedfile.ReadAll("the standard input", stdin, namedfile.MaxText)
	} else {
		raw, err = namedfile.Read(path, namedfile.MaxText)
	}
	if err != nil {
		return nil, err
	}
	problems, ignored, err := parseProblems(namedfile.WithoutMark(raw))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if len(ignored) > 0 {
		fmt.Fprintf(stderr, "%s: ignored entries, which are not transport problems: %s\n", path, strings.Join(ignored, ", "))
	}
	var simplex solver.Simplex
	var failed int
	var first error
	for i, p := range problems {
		s, err := p.solve(&simplex)
		if err == nil {
			solutions = append(solutions, s)
			continue
		}
		solutions = append(solutions, unsolved{Kind: p.Kind, Error: err.Error()})
		if failed++; first == nil {
			name := fmt.Sprintf("problem %d", i+1)
			if p.Kind != "" {
				name += fmt.Sprintf(" (%s)", p.Kind)
			}
			first = fmt.Errorf("%s: %w", name, err)
		}
	}
	if failed > 0 {
		err = fmt.Errorf("%s: %d of %d problems cannot be solved, as their results say; %w", path, failed, len(problems), first)
	}
	return solutions, err
}
