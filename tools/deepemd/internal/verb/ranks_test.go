package verb

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/deepemd/deepemd/internal/cluster"
)

// TestRanks: only rank 0 prints, every rank has its group, and a verb that does not share its work
// returns an error.
func TestRanks(t *testing.T) {
	before := verbs
	defer func() { verbs = before }()
	say := func(name string) func() *cobra.Command {
		return func() *cobra.Command {
			return &cobra.Command{Use: name, RunE: func(cmd *cobra.Command, _ []string) error {
				fmt.Fprint(cmd.OutOrStdout(), "rank ", cluster.Of(cmd.Context()).Rank())
				return nil
			}}
		}
	}
	verbs = nil
	Register(Train, func() *cobra.Command { return MarkParallel(say("together")()) })
	Register(Train, say("apart"))
	for _, g := range cluster.InProcess(2) {
		var out bytes.Buffer
		command := Root()
		command.SetContext(context.Background())
		command.SetOut(&out)
		SetGroup(command, g)
		if err := Execute(command, []string{"together"}); err != nil {
			t.Error(err)
		}
		if want := map[int]string{0: "rank 0"}[g.Rank()]; out.String() != want {
			t.Errorf("rank %d prints %q, want %q", g.Rank(), out.String(), want)
		}
		command = Root()
		SetGroup(command, g)
		if err := Execute(command, []string{"apart"}); err == nil || !strings.Contains(err.Error(), "deepemd apart does not share its work among the 2 processes") {
			t.Errorf("a verb that does not share its work: %v", err)
		}
	}
	var out bytes.Buffer
	Fail(&out, cluster.InProcess(2)[1], fmt.Errorf("no picture"))
	if out.String() != "deepemd: rank 1: no picture\n" {
		t.Errorf("a failure is reported as %q", out.String())
	}
}
