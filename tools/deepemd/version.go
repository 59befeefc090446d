package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/deepemd/deepemd/core/kernel"
)

// newVersionCommand returns the command that says what is running.
func newVersionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version, and which kernels this machine runs",
		Args:  cobra.NoArgs,
		Run: func(cmd *cobra.Command, _ []string) {
			fmt.Fprintf(cmd.OutOrStdout(), "deepemd %s, %s %s/%s, kernels %s\n",
				moduleVersion(), runtime.Version(), runtime.GOOS, runtime.GOARCH, kernel.Name())
		},
	}
}

// moduleVersion is the version that the build recorded: a tag, or else the
// commit.
func moduleVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "(unknown)"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	revision, changed := "", ""
	for _, setting := range info.Settings {
		switch {
		case setting.Key == "vcs.revision":
			revision = setting.Value[:min(12, len(setting.Value))]
		case setting.Key == "vcs.modified" && setting.Value == "true":
			changed = "+changes"
		}
	}
	if revision == "" {
		return "(devel)"
	}
	return revision + changed
}
