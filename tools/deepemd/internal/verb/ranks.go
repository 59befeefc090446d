package verb

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/deepemd/deepemd/internal/cluster"
)

// sharing is the annotation of verbs that share their work among the ranks of a group.
const sharing = "shares its work"

// Shares marks a verb that shares its work among the processes that mpirun starts. Others
// refuse to be started so: each process would do all of it.
func Shares(command *cobra.Command) *cobra.Command {
	if command.Annotations == nil {
		command.Annotations = map[string]string{}
	}
	command.Annotations[sharing] = "yes"
	return command
}

// Within has a command work as a rank of a group: it is in the command's context
// (cluster.Of), and only rank 0 prints.
func Within(command *cobra.Command, g cluster.Group) {
	ctx := command.Context()
	if ctx == nil {
		ctx = context.Background()
	}
	command.SetContext(cluster.With(ctx, g))
	if !cluster.Leads(g) {
		command.SetOut(io.Discard)
		command.SetErr(io.Discard)
	}
}

// checkShares returns an error for a verb that several processes would each do.
func checkShares(cmd *cobra.Command, _ []string) error {
	if g := cluster.Of(cmd.Context()); g.Size() > 1 && cmd.Annotations[sharing] == "" {
		return fmt.Errorf("%s does not share its work among the %d processes of mpirun: start it without mpirun", cmd.CommandPath(), g.Size())
	}
	return nil
}

// patience is how long a rank waits for rank 0 to report what most often all ranks meet.
const patience = 3 * time.Second

// Fail reports the error of a rank and ends all of them. A rank other than 0 says which one
// it is, and gives rank 0 the time to report the same error first, for all.
func Fail(w io.Writer, g cluster.Group, err error) {
	if !cluster.Leads(g) {
		time.Sleep(patience)
		err = fmt.Errorf("rank %d: %w", g.Rank(), err)
	}
	Report(w, err)
	g.Abort()
}
