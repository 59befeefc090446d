package verb

import (
	"context"
	"os"
	"os/signal"

	"github.com/spf13/cobra"
)

// interrupted is the exit code of a program that Ctrl+C ends, as shells have it.
const interrupted = 130

// Stoppable is a command's context, cancelled when somebody asks the command to end:
// with Ctrl+C, or as systems and schedulers do it (SIGTERM, and SIGUSR1, which mpirun hands on
// to its processes, where it kills them a second after the others). They let it save what it
// has. A second Ctrl+C ends the program, whatever it is doing. stop gives the signals their usual
// meaning back.
func Stoppable(cmd *cobra.Command) (ctx context.Context, stop context.CancelFunc) {
	ctx, stop = signal.NotifyContext(cmd.Context(), stops...)
	context.AfterFunc(ctx, func() {
		again := make(chan os.Signal, 1)
		signal.Notify(again, os.Interrupt)
		<-again
		os.Exit(interrupted)
	})
	return ctx, stop
}
