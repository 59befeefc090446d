package verb

import (
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"
)

// Execute runs the command. A panic, which means a broken invariant and not a
// mistake of the person at the keyboard, becomes an error that asks for a report.
func Execute(command *cobra.Command, args []string) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("internal error, please report it with the command that led to it: %v (%s)", r, origin())
		}
	}()
	command.SetArgs(args)
	return command.Execute()
}

// origin names the place in the code that panicked; it is for the function
// that recovers.
func origin() string {
	callers := make([]uintptr, 32)
	frames := runtime.CallersFrames(callers[:runtime.Callers(0, callers)])
	panicked := false
	for {
		frame, more := frames.Next()
		inRuntime := strings.HasPrefix(frame.Function, "runtime.")
		if panicked && !inRuntime {
			return fmt.Sprintf("%s, %s:%d", frame.Function, filepath.Base(frame.File), frame.Line)
		}
		panicked = panicked || frame.Function == "runtime.gopanic"
		if !more {
			return "unknown place"
		}
	}
}

// Report prints an error as one line.
func Report(w io.Writer, err error) {
	fmt.Fprintln(w, "deepemd:", strings.Join(strings.Fields(err.Error()), " "))
}
