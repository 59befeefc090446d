package verb

import (
	"context"
	"errors"
	"os"
	"os/signal"

	"github.com/spf13/cobra"
)

// interrupted is the exit code of a program that Ctrl+C ends, as in shells.
const interrupted = 130

// Stoppable returns a command's context, canceled by Ctrl+C, SIGTERM or SIGUSR1, which mpirun sends
// a second before it kills a process. The command can then save its work. A second Ctrl+C ends the
// program at once. The function stop restores the signals.
func Stoppable(cmd *cobra.Command) (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancel(cmd.Context())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, stops...)
	go func() {
		for s := range signals {
			if ctx.Err() != nil && s == os.Interrupt {
				os.Exit(interrupted)
			}
			cancel()
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		close(signals)
		cancel()
	}
}

// Interrupted replaces the error of a canceled context by one for people. It returns other errors
// unchanged.
func Interrupted(err error) error {
	if errors.Is(err, context.Canceled) {
		return errors.New("stopped before the end: nothing was written")
	}
	return err
}
