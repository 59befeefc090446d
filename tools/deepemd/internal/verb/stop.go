package verb

import (
	"context"
	"os/signal"

	"github.com/spf13/cobra"
)

// Stoppable is a command's context, cancelled when somebody asks the command to end:
// with Ctrl+C, or as systems and schedulers do it (SIGTERM, and SIGUSR1, which mpirun hands on
// to its processes, where it kills them a second after the others). They let it save what it
// has. stop gives the signals their usual meaning back.
func Stoppable(cmd *cobra.Command) (ctx context.Context, stop context.CancelFunc) {
	return signal.NotifyContext(cmd.Context(), stops...)
}
