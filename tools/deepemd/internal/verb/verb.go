// Package verb has the list of the command's verbs, to which their packages add, and runs them. It
// has their common output: progress, errors, escapes.
package verb

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// The groups of verbs, headings in the help.
var (
	Recognize = &cobra.Group{ID: "recognize", Title: "Recognize and search pictures and sounds:"}
	Evaluate  = &cobra.Group{ID: "evaluate", Title: "Measure:"}
	Train     = &cobra.Group{ID: "train", Title: "Train networks:"}
	Convert   = &cobra.Group{ID: "convert", Title: "Convert and compute:"}
	Serve     = &cobra.Group{ID: "serve", Title: "Serve the studio:"}
)

var verbs = map[*cobra.Group][]func() *cobra.Command{}

// Register adds a verb. The function new returns its command for each run. Register is called from
// init functions.
func Register(group *cobra.Group, new func() *cobra.Command) {
	verbs[group] = append(verbs[group], new)
}

// Root returns the command with all verbs.
func Root() *cobra.Command {
	root := &cobra.Command{
		Use:               "deepemd",
		Short:             "Few-shot image classification by optimal matching",
		SilenceErrors:     true, // Report prints errors
		SilenceUsage:      true,
		Args:              NoArguments,
		PersistentPreRunE: checkShares,
	}
	asked := root.Flags().Bool("version", false, "the same as the command version")
	root.RunE = func(cmd *cobra.Command, _ []string) error {
		if version, _, err := cmd.Find([]string{"version"}); *asked && err == nil {
			return version.RunE(version, nil)
		}
		return cmd.Help()
	}
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		if cmd.HasSubCommands() { // the flags of an unknown command are unknown, too
			if err := NoArguments(cmd, cmd.Flags().Args()); err != nil {
				return err
			}
		}
		return fmt.Errorf("%w: `%s --help` lists the flags", explainFlag(err), cmd.CommandPath())
	})
	for _, g := range []*cobra.Group{Recognize, Evaluate, Train, Convert, Serve} {
		if verbs[g] != nil {
			root.AddGroup(g)
		}
		for _, new := range verbs[g] {
			command := new()
			command.GroupID = g.ID
			root.AddCommand(command)
		}
	}
	return root
}

// wants describes the values of types of flags.
var wants = map[string]string{
	"int": "a whole number", "uint64": "a whole number, 0 or above", "float64": "a number",
	"intSlice": "whole numbers, separated by commas", "bool": "true or false", "duration": "a time, such as 30s",
}

// explainFlag describes the value that a flag wants, in place of an error of package strconv, and how to give a
// file whose name begins like a flag.
func explainFlag(err error) error {
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok {
		name := "-" + cmp.Or(unknown.GetSpecifiedShortnames(), "-"+unknown.GetSpecifiedName())
		if _, absent := os.Lstat(name); absent == nil { // from a pattern of the shell
			return fmt.Errorf("%s is taken for a flag: write .%c%s for the file", name, filepath.Separator, name)
		}
	}
	invalid, ok := errors.AsType[*pflag.InvalidValueError](err)
	if !ok {
		return err
	}
	flag := "--" + invalid.GetFlag().Name
	if want, ok := wants[invalid.GetFlag().Value.Type()]; ok {
		if errors.Is(err, strconv.ErrRange) {
			want += " of 64 bits"
		}
		return fmt.Errorf("%s %s: want %s", flag, invalid.GetValue(), want)
	}
	return fmt.Errorf("%s %w", flag, errors.Unwrap(invalid))
}

// NoArguments is the Args of a command that takes only flags or the names of its commands.
func NoArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if !cmd.HasSubCommands() {
		return fmt.Errorf("%s takes only flags, got %q: `%s --help` explains them", cmd.Name(), args[0], cmd.CommandPath())
	}
	cmd.SuggestionsMinimumDistance = 2
	remedy := fmt.Sprintf("`%s --help` lists them", cmd.CommandPath())
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		remedy = fmt.Sprintf("did you mean %s?", strings.Join(near, " or "))
	}
	return fmt.Errorf("unknown command %q: %s", args[0], remedy)
}

// Arguments is the Args of a command that takes from least to most arguments; a most of 0 sets no
// limit. The error describes them (takes) and shows an example of the command line.
func Arguments(least, most int, takes, example string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < least || most > 0 && len(args) > most {
			return fmt.Errorf("%s takes %s, got %d: %s %s", cmd.Name(), takes, len(args), cmd.CommandPath(), example)
		}
		return nil
	}
}
