package verb

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/deepemd/deepemd/internal/cluster"
)

// sharing is the annotation of verbs that share their work among the ranks of a group.
const sharing = "shares its work"

// MarkParallel marks a verb that shares its work among the processes of mpirun. mpirun cannot start other
// verbs: each process would do all of the work.
func MarkParallel(command *cobra.Command) *cobra.Command {
	command.Annotations = map[string]string{sharing: "yes"}
	return command
}

// SetGroup makes a command a rank of a group: its context has the group (cluster.Of), and only rank 0
// prints.
func SetGroup(command *cobra.Command, g cluster.Group) {
	command.SetContext(cluster.With(context.Background(), g))
	if !cluster.IsFirst(g) {
		command.SetOut(io.Discard)
		command.SetErr(io.Discard)
	}
}

// checkShares returns an error for a verb that each of several processes would run completely, and for
// processes with different commands.
func checkShares(cmd *cobra.Command, args []string) error {
	g := cluster.Of(cmd.Context())
	if g.Size() == 1 {
		return nil
	}
	if cmd.Annotations[sharing] == "" {
		return fmt.Errorf("%s does not share its work among the %d processes of mpirun: start it without mpirun", cmd.CommandPath(), g.Size())
	}
	lines := []string{cmd.CommandPath()}
	if !strings.HasPrefix(cmd.Use, cmd.Name()+" DIR") { // DIR is a path, of images
		lines = append(lines, args...)
	}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		switch {
		case slices.Contains(machines, f.Name):
		case f.Changed:
			lines = append(lines, common(f))
		default:
			lines = append(lines, "no --"+f.Name)
		}
	})
	return cluster.Same(g, "commands", lines...)
}

var (
	// machines are flags that may differ between ranks.
	machines = []string{"device", "threads"}
	// paths are flags whose files may be anywhere: the verbs compare images, models and settings.
	paths = []string{"cache", "config", "data", "export", "init", "logits", "onto", "onto-split", "out", "pixels", "split", "teacher", "unlabeled"}
	// contents are flags whose files, if they are some, have the same content on all ranks.
	contents = []string{"episodes", "features", "in", "prior", "rival"}
)

// common describes a flag by what all ranks have in common.
func common(f *pflag.Flag) string {
	name := "--" + f.Name
	list, several := f.Value.(pflag.SliceValue)
	switch {
	case slices.Contains(paths, f.Name) || strings.HasPrefix(f.Name, "weights"):
		return name
	case f.Value.Type() == "stringArray": // settings, which the trainer compares
		return name
	case slices.Contains(contents, f.Name) && several:
		for _, path := range list.GetSlice() {
			name += " " + content(path)
		}
		return name
	case slices.Contains(contents, f.Name):
		return name + " " + content(f.Value.String())
	}
	return name + "=" + f.Value.String()
}

// content returns a digest of a file's content, or the text if it names no file.
func content(text string) string {
	if info, err := os.Stat(text); err != nil || !info.Mode().IsRegular() {
		return text
	}
	file, err := os.Open(text)
	if err != nil {
		return text
	}
	defer file.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, file); err != nil {
		return text
	}
	return fmt.Sprintf("with SHA-256 %x", sum.Sum(nil)[:6])
}

// patience is the time that a rank waits for rank 0 to report an error, which most often occurs on
// all ranks.
const patience = 3 * time.Second

// Fail reports the error of a rank and ends all of them. A rank other than 0 adds its number, and
// waits so that rank 0 can report a common error first.
func Fail(w io.Writer, g cluster.Group, err error) {
	if !cluster.IsFirst(g) {
		time.Sleep(patience)
		err = fmt.Errorf("rank %d: %w", g.Rank(), err)
	}
	Report(w, err)
	g.Abort()
}
