package recognize

import (
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/deepemd/deepemd/core/gallery"
	"github.com/deepemd/deepemd/internal/plural"
	"github.com/deepemd/deepemd/tools/deepemd/internal/indexfile"
	"github.com/deepemd/deepemd/tools/deepemd/internal/verb"
)

func init() { verb.Register(verb.Recognize, newUnindexCommand) }

func newUnindexCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "unindex X.index NAME…",
		Short: "Remove pictures from an index",
		Long: "Remove pictures from an index, by their names as `deepemd search` prints them, or by patterns with * and ?,\n" +
			"which match anything except a slash. `deepemd index` adds them again if they are still in its folder.",
		Example: "  deepemd unindex photos.index 2019/old.jpg '2020/*'",
		Args:    verb.Arguments(2, 0, "an index and the names of pictures", "X.index NAME…"),
		RunE:    unindex,
	}
}

func unindex(cmd *cobra.Command, args []string) (err error) {
	index, err := indexfile.GrowAny(args[0])
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, index.Release()) }()
	var pictures []int
	err = index.Index.Guard(func() (err error) {
		pictures, err = matching(index.Index.Index, args[0], args[1:])
		return err
	})
	if err != nil {
		return err
	}
	if err := index.Delete(index.Index.Index, pictures...); err != nil {
		return fmt.Errorf("%s: %w", args[0], err)
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %s removed, %d left\n", args[0], plural.Count(len(pictures), "picture", "pictures"), index.Len())
	return err
}

// matching returns the numbers of the pictures that are called like one of the patterns, or else match it.
// A pattern without a picture is an error.
func matching(x *gallery.Index, file string, patterns []string) (pictures []int, err error) {
	exact, chosen := numbersOf(x, patterns), map[int]bool{}
	for _, pattern := range patterns {
		i, found := exact[pattern]
		if found {
			chosen[i] = true
			continue
		}
		escaped := escapes.Replace(pattern)
		for i := range x.Len() {
			name := x.Name(i)
			if !x.Deleted(i) && (matches(escaped, name) || matches(escaped, verb.Printed(name))) {
				chosen[i], found = true, true
			}
		}
		if !found {
			return nil, fmt.Errorf("%s: no picture is called %s: give a name as `deepemd search` prints it; nothing was removed", file, pattern)
		}
	}
	return slices.Sorted(maps.Keys(chosen)), nil
}

// escapes has the special characters of [path.Match] that are plain in patterns here.
var escapes = strings.NewReplacer(`[`, `\[`, `\`, `\\`)

// matches is [path.Match] of an escaped pattern, which is never malformed.
func matches(escaped, name string) bool {
	is, _ := path.Match(escaped, name)
	return is
}
