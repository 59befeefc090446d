package serve

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/deepemd/deepemd/core"
	"github.com/deepemd/deepemd/internal/kernel"
	"github.com/deepemd/deepemd/tools/deepemd/internal/verb"
)

func init() { verb.Register(verb.Serve, newVersionCommand) }

func newVersionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version and the kernels of this machine",
		Args:  verb.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			commit := verb.Commit()
			if commit != "" {
				commit = " (" + commit + ")"
			}
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "deepemd %s%s, %s %s/%s, kernels %s\n",
				core.Version, commit, runtime.Version(), runtime.GOOS, runtime.GOARCH, kernel.Name())
			return err
		},
	}
}
