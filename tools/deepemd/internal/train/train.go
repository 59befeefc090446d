package train

import (
	"github.com/spf13/cobra"

	"github.com/deepemd/deepemd/tools/deepemd/internal/verb"
)

func init() { verb.Register(verb.Train, newTrainCommand) }

// newTrainCommand returns the command under which the recipes of training are.
func newTrainCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "train",
		Short: "Train a network on pictures",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	command.AddCommand(newPretrainCommand(), newMetaCommand())
	return command
}
