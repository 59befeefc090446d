package verb

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/spf13/cobra"

	"github.com/deepemd/deepemd/internal/cluster"
	"github.com/deepemd/deepemd/internal/require"
)

// TestRanks: only rank 0 prints, every rank has its group, and a verb that does not share its work, or
// another command than rank 0's, returns an error.
func TestRanks(t *testing.T) {
	before := verbs
	defer func() { verbs = before }()
	say := func(name string) func() *cobra.Command {
		return func() *cobra.Command {
			command := &cobra.Command{Use: name, RunE: func(cmd *cobra.Command, _ []string) error {
				fmt.Fprint(cmd.OutOrStdout(), "rank ", cluster.Of(cmd.Context()).Rank())
				return nil
			}}
			command.Flags().Int("seed", 0, "")
			command.Flags().Int("threads", 0, "")
			command.Flags().String("data", "", "")
			command.Flags().String("features", "", "")
			command.Flags().StringSlice("rival", nil, "")
			return command
		}
	}
	verbs = map[*cobra.Group][]func() *cobra.Command{}
	Register(Train, func() *cobra.Command { return MarkParallel(say("together")()) })
	Register(Train, func() *cobra.Command { return MarkParallel(say("further")()) })
	Register(Train, say("apart"))
	// on runs a command line on each of two ranks.
	on := func(lines ...string) (out [2]bytes.Buffer, errs [2]error) {
		var wait sync.WaitGroup
		for rank, g := range cluster.InProcess(2) {
			wait.Go(func() {
				command := Root()
				command.SetOut(&out[rank])
				SetGroup(command, g)
				errs[rank] = Execute(command, strings.Fields(lines[rank]))
			})
		}
		wait.Wait()
		return out, errs
	}
	dir := t.TempDir()
	for name, content := range map[string]string{"a": "1", "copy": "1", "b": "2"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600))
	}
	in := func(line string) string { return strings.ReplaceAll(line, "/", dir+"/") }
	for _, lines := range [][2]string{
		{"together", "together"},
		{"together --seed 1 --data /a --threads 1", "together --data /b --seed 1 --threads 2"},
		{"together --features /a", "together --features /copy"},
		{"together --rival /a,/b", "together --rival /copy,/b"},
	} {
		out, errs := on(in(lines[0]), in(lines[1]))
		if err := errors.Join(errs[:]...); err != nil {
			t.Errorf("%q: %v", lines, err)
		}
		if out[0].String() != "rank 0" || out[1].String() != "" {
			t.Errorf("%q: the ranks print %q and %q, want only rank 0", lines, &out[0], &out[1])
		}
	}
	for _, c := range []struct{ first, second, want string }{
		{"apart", "apart", "deepemd apart does not share its work among the 2 processes"},
		{"together", "further", `different commands: rank 0 "deepemd together", rank 1 "deepemd further": start all ranks with the same command`},
		{"together --seed 1", "together --seed 2", `rank 0 "--seed=1", rank 1 "--seed=2"`},
		{"together", "together --seed 2", `rank 0 "no --seed", rank 1 "--seed=2"`},
		{"together x", "together y", `rank 0 "x", rank 1 "y"`},
		{"together --data x", "together", `rank 0 "--data", rank 1 "no --data"`},
		{"together --features /a", "together --features /b", `rank 0 "--features with SHA-256 6b`},
	} {
		_, errs := on(in(c.first), in(c.second))
		for _, err := range errs {
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s and %s: %v, want %s", c.first, c.second, err, c.want)
			}
		}
	}
}

// TestFail: a rank's error ends all ranks. Rank 0 reports at once, the others later and with their number.
func TestFail(t *testing.T) {
	for rank, want := range []string{"deepemd: no picture\n", "deepemd: rank 1: no picture\n"} {
		synctest.Test(t, func(t *testing.T) {
			var out bytes.Buffer
			began, ranks := time.Now(), cluster.InProcess(2)
			Fail(&out, ranks[rank], errors.New("no picture"))
			if waited := time.Since(began) > 0; out.String() != want || waited != (rank > 0) {
				t.Errorf("rank %d: reported as %q, waited: %t", rank, out.String(), waited)
			}
			if err := ranks[1-rank].SumFloat64([]float64{1}); !errors.Is(err, cluster.ErrAborted) {
				t.Errorf("rank %d: the other rank goes on, error %v", rank, err)
			}
		})
	}
}
