package serve

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/deepemd/deepemd/core"
	"github.com/deepemd/deepemd/internal/kernel"
	"github.com/deepemd/deepemd/tools/deepemd/internal/verb"
)

func init() { verb.Register(verb.Serve, newVersionCommand) }

// newVersionCommand returns the command that prints the version.
func newVersionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version and the kernels of this machine",
		Args:  cobra.NoArgs,
		Run: func(cmd *cobra.Command, _ []string) {
			fmt.Fprintf(cmd.OutOrStdout(), "deepemd %s%s, %s %s/%s, kernels %s\n",
				core.Version, revision(), runtime.Version(), runtime.GOOS, runtime.GOARCH, kernel.Name())
		},
	}
}

// revision returns the commit of the build in parentheses after a space, or "" if the build recorded
// none.
func revision() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	commit, changed := "", ""
	for _, setting := range info.Settings {
		switch {
		case setting.Key == "vcs.revision":
			commit = setting.Value[:min(12, len(setting.Value))]
		case setting.Key == "vcs.modified" && setting.Value == "true":
			changed = "+changes"
		}
	}
	if commit == "" {
		return ""
	}
	return " (" + commit + changed + ")"
}
