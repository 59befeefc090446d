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

// MarkParallel marks a verb that shares its work among the processes of mpirun. mpirun cannot start other
// verbs: each process would do all of the work.
func MarkParallel(command *cobra.Command) *cobra.Command {
	if command.Annotations == nil {
		command.Annotations = map[string]string{}
	}
	command.Annotations[sharing] = "yes"
	return command
}

// SetGroup makes a command a rank of a group: its context has the group (cluster.Of), and only rank 0
// prints.
func SetGroup(command *cobra.Command, g cluster.Group) {
	ctx := command.Context()
	if ctx == nil {
		ctx = context.Background()
	}
	command.SetContext(cluster.With(ctx, g))
	if !cluster.IsFirst(g) {
		command.SetOut(io.Discard)
		command.SetErr(io.Discard)
	}
}

// checkShares returns an error for a verb that each of several processes would run completely.
func checkShares(cmd *cobra.Command, _ []string) error {
	if g := cluster.Of(cmd.Context()); g.Size() > 1 && cmd.Annotations[sharing] == "" {
		return fmt.Errorf("%s does not share its work among the %d processes of mpirun: start it without mpirun", cmd.CommandPath(), g.Size())
	}
	return nil
}

// patience is the time that a rank waits for rank 0 to report an error, which most often occurs on
// all ranks.
const patience = 3 * time.Second

// Fail reports the error of a rank and ends all of them. A rank other than 0 adds its number, and
// waits so that rank 0 can report a common error first.
func Fail(w io.Writer, g cluster.Group, err error) {
	if !cluster.IsFirst(g) {
		time.Sleep(patience)
		err = fmt.Errorf("rank %d: %w", g.Rank(), err)
	}
	Report(w, err)
	g.Abort()
}
