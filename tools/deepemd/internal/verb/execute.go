package verb

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/deepemd/deepemd/internal/atomicfile"
)

// Execute runs the command. A panic, which means a broken invariant, becomes an error that requests a
// report. The errors of a full disk and of missing permissions get their remedies.
func Execute(command *cobra.Command, args []string) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("internal error, please report it with the command that led to it: %v (%s)", r, origin())
		}
	}()
	if len(args) > 0 && args[0] == "help" {
		args = slices.Concat(args[1:], []string{"--help"})
	}
	command.SetArgs(args)
	var unknown error // Cobra shows the help of the command above
	help := command.HelpFunc()
	command.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		if cmd.HasSubCommands() {
			unknown = NoArguments(cmd, cmd.Flags().Args())
		}
		if unknown == nil {
			help(cmd, args)
		}
	})
	return explain(errors.Join(command.Execute(), unknown))
}

// explain adds the remedy to an error of a full disk or of missing permissions for a file.
func explain(err error) error {
	_, network := errors.AsType[*net.OpError](err)
	switch {
	case atomicfile.IsFull(err) && !strings.Contains(err.Error(), "the disk is full"):
		return fmt.Errorf("%w: the disk is full: make room there, or name another place to write to", err)
	case errors.Is(err, fs.ErrPermission) && !network:
		return fmt.Errorf("%w: change the permissions, or name another place", err)
	}
	return err
}

// origin returns the place of the panic. Call it from the recovering function.
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

// lineBreaks matches line breaks with the white space around them.
var lineBreaks = regexp.MustCompile(`\s*[\n\r]\s*`)

// Report prints an error as one line. Other white space stays, because it may be in the name of a file.
func Report(w io.Writer, err error) {
	fmt.Fprintln(w, "deepemd:", lineBreaks.ReplaceAllString(strings.TrimSpace(err.Error()), " "))
}
