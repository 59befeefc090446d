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

// Stoppable returns run as the RunE of a command whose context is canceled by Ctrl+C, SIGTERM or
// SIGUSR1, which mpirun sends a second before it kills a process. The command can then save its work, and describe
// it in its error. If it returns the context's error, the message says that nothing was written. A second Ctrl+C
// ends the program at once.
func Stoppable(run func(cmd *cobra.Command, args []string) error) func(cmd *cobra.Command, args []string) error {
	return func(cmd *cobra.Command, args []string) error {
		ctx, cancel := context.WithCancel(cmd.Context())
		defer cancel()
		cmd.SetContext(ctx)
		signals := make(chan os.Signal, 2)
		defer close(signals)
		signal.Notify(signals, stops...)
		defer signal.Stop(signals)
		go func() {
			for s := range signals {
				if ctx.Err() != nil && s == os.Interrupt {
					os.Exit(interrupted)
				}
				cancel()
			}
		}()
		err := run(cmd, args)
		if errors.Is(err, context.Canceled) {
			return errors.New("stopped before the end: nothing was written")
		}
		return err
	}
}
