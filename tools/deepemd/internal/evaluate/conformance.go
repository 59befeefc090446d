// Package evaluate has the verbs that measure: eval, eval retrieval, reproduce and
// conformance.
package evaluate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/deepemd/deepemd/tools/deepemd/internal/conformance"
	"github.com/deepemd/deepemd/tools/deepemd/internal/flags"
	"github.com/deepemd/deepemd/tools/deepemd/internal/verb"
)

func init() { verb.Register(verb.Evaluate, newConformanceCommand) }

// newConformanceCommand returns the command that compares this implementation
// with the published one.
func newConformanceCommand() *cobra.Command {
	var shared string
	var opt conformance.Options
	command := &cobra.Command{
		Use:   "conformance",
		Short: "Compare with the published implementation's golden data",
		Long: "Compare activations, node weights, logits from image files on and optima of transport problems with\n" +
			"what the published implementation computed, and print a table. The golden data lie in a folder with\n" +
			"the sub-folders reference and datasets; what is not there is skipped. A difference beyond its\n" +
			"tolerance makes the exit code 1, and so does nothing to compare.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if opt.Episodes < 0 || opt.Queries < 0 || opt.Threads < 0 {
				return errors.New("--episodes, --queries and --threads: want positive numbers, or 0 for all")
			}
			if shared == "" {
				shared = findShared()
			}
			ctx, stop := verb.Stoppable(cmd)
			defer stop()
			return conform(ctx, cmd.OutOrStdout(), shared, opt)
		},
	}
	f := command.Flags()
	f.StringVar(&shared, "shared", "", "folder of the golden data (default: DEEPEMD_SHARED, else a folder shared beside the checkout)")
	f.IntVar(&opt.Episodes, "episodes", 0, "compare the logits of only so many episodes of each setting")
	f.IntVar(&opt.Queries, "queries", 0, "compare only so many queries of each episode")
	f.IntVar(&opt.Threads, "threads", 0, "how many threads compute (default: all cores)")
	return command
}

// findShared is the folder of the golden data where none is given.
func findShared() string {
	if shared := os.Getenv("DEEPEMD_SHARED"); shared != "" {
		return shared
	}
	if path, err := flags.FindAbove("shared/reference"); err == nil {
		return filepath.Dir(path)
	}
	return "shared"
}

// conform runs every suite whose files are there and prints a line for each
// comparison. It returns an error when one does not hold.
func conform(ctx context.Context, w io.Writer, shared string, opt conformance.Options) error {
	const row = "%-47s  %-21s  %-10s  %-9s  %s\n"
	fmt.Fprintf(w, row, "WHAT", "TOLERANCE", "DIFFERENCE", "AGREEMENT", "RESULT")
	all, failed := 0, 0
	for _, suite := range conformance.Suites(shared) {
		if err := suite.Missing(); err != nil {
			fmt.Fprintf(w, row, suite.Name, "", "", "", fmt.Sprintf("skipped: %v (--shared DIR or DEEPEMD_SHARED name the folder)", err))
			continue
		}
		err := suite.Run(ctx, opt, func(check conformance.Check) {
			all++
			result := "pass"
			if !check.Passed() {
				failed++
				result = "FAIL"
			}
			agreement := ""
			if check.Queries > 0 {
				agreement = fmt.Sprintf("%.2f%%", 100*check.Agreement)
			}
			fmt.Fprintf(w, row, check.What, fmt.Sprintf("%.0e %s", check.Tolerance, check.Measure),
				fmt.Sprintf("%.2e", check.Worst), agreement, result)
		})
		if err != nil {
			return verb.Interrupted(err)
		}
	}
	if all == 0 {
		return fmt.Errorf("nothing was compared, because %s has none of the golden data: name their folder with --shared or DEEPEMD_SHARED", shared)
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d comparisons with the published implementation do not hold", failed, all)
	}
	return nil
}
