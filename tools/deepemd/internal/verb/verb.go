// Package verb has the list of the command's verbs, to which their packages add, and runs them. It
// has their common output: progress, errors, escapes.
package verb

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"
)

// Group is a group of verbs: a heading in the help.
type Group struct{ id, title string }

// The groups, in the order of the help.
var (
	Recognize = Group{"recognise", "Recognize and search pictures and sounds:"}
	Evaluate  = Group{"evaluate", "Measure:"}
	Train     = Group{"train", "Train networks:"}
	Convert   = Group{"convert", "Convert and compute:"}
	Serve     = Group{"serve", "Serve the studio:"}
)

// registered is a verb and the constructor of its command.
type registered struct {
	group Group
	new   func() *cobra.Command
}

var verbs []registered

// Register adds a verb. The function new returns its command for each run. Register is called from
// init functions.
func Register(group Group, new func() *cobra.Command) {
	verbs = append(verbs, registered{group, new})
}

// Root returns the command with all verbs.
func Root() *cobra.Command {
	root := &cobra.Command{
		Use:           "deepemd",
		Short:         "Few-shot image classification by optimal matching",
		SilenceErrors: true, // Report prints errors
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("unknown command %q: `deepemd --help` lists them", args[0])
			}
			return cmd.Help()
		},
		Args:              cobra.ArbitraryArgs,
		PersistentPreRunE: checkShares,
	}
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return fmt.Errorf("%w: `%s --help` lists the flags", err, cmd.CommandPath())
	})
	for _, g := range []Group{Recognize, Evaluate, Train, Convert, Serve} {
		if slices.ContainsFunc(verbs, func(v registered) bool { return v.group == g }) {
			root.AddGroup(&cobra.Group{ID: g.id, Title: g.title})
		}
	}
	for _, v := range verbs {
		command := v.new()
		command.GroupID = v.group.id
		root.AddCommand(command)
	}
	return root
}
