package recognize

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/deepemd/deepemd/core"
	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/core/project/archive"
	"github.com/deepemd/deepemd/internal/atomicfile"
	"github.com/deepemd/deepemd/internal/plural"
	"github.com/deepemd/deepemd/tools/deepemd/internal/flags"
	"github.com/deepemd/deepemd/tools/deepemd/internal/verb"
)

func init() { verb.Register(verb.Recognize, newProjectCommand) }

func newProjectCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "project",
		Short: "Inspect and make project files (*.deepemd)",
		Args:  verb.NoArguments,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	var asJSON bool
	info := &cobra.Command{
		Use:     "info FILE",
		Short:   "Check a project file, and print its content",
		Example: "  deepemd project info my.deepemd",
		Args:    verb.Arguments(1, 1, "one project file", "my.deepemd"),
		RunE:    func(cmd *cobra.Command, args []string) error { return projectInfo(cmd.OutOrStdout(), args[0], asJSON) },
	}
	info.Flags().BoolVar(&asJSON, "json", false, "print JSON: the file's manifest")
	command.AddCommand(info)
	var o makeOptions
	making := &cobra.Command{
		Use:   "make --support DIR FILE",
		Short: "Make a project file from folders of pictures or recordings",
		Long: "Make a project from the pictures in the subfolders of DIR, one per class, for the studio and\n" +
			"`deepemd classify --project`. The file stores the recognition method, too. With --sound the project has\n" +
			"recordings, MP3 or WAV.",
		Example: "  deepemd project make --support things things.deepemd",
		Args:    verb.Arguments(1, 1, "one project file", "--support DIR my.deepemd"),
		RunE:    o.makeProject,
	}
	f := making.Flags()
	f.StringVar(&o.name, "name", "", "name of the project (default: the name of the folder)")
	o.output.Register(f)
	o.register(f)
	command.AddCommand(making)
	return command
}

// projectInfo reads all of a project file and prints its content.
func projectInfo(w io.Writer, path string, asJSON bool) error {
	p, closeFile, err := flags.OpenProject(path)
	if err != nil {
		return err
	}
	defer closeFile()
	m := &p.Manifest
	sizes, embedded, err := flags.CheckProject(p)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return verb.Print(w, asJSON, m, func(w io.Writer) {
		fmt.Fprintf(w, "%s (%s, version %d)\n", verb.Line(m.Name), m.Kind, m.Version)
		if !m.Saved.IsZero() {
			fmt.Fprintf(w, "saved %s by %s\n", m.Saved.Format(time.RFC3339), verb.Line(m.Generator))
		}
		fmt.Fprintf(w, "%s, %s", plural.Count(len(m.Classes), "class", "classes"), plural.Count(m.Examples(), "example", "examples"))
		for size := range sizes {
			if len(sizes) == 1 {
				fmt.Fprintf(w, " of %d×%d pixels", size.X, size.Y)
			}
		}
		fmt.Fprintf(w, "\nmethod: %v\n", m.Method)
		for _, c := range m.Classes {
			off, size := "", strconv.Itoa(len(c.Examples))
			if c.Nothing {
				size = plural.Count(len(c.Examples), "background example", "background examples")
			}
			if c.Disabled {
				off += ", switched off"
			}
			fmt.Fprintf(w, "  %s: %s%s\n", verb.Line(c.Label), size, off)
		}
		switch n := m.Network; {
		case !embedded:
			fmt.Fprintln(w, "no embeddings: opening the file computes them from the pictures")
		case m.Kind == project.KindFeatures:
			fmt.Fprintf(w, "features: %d×%d, %s\n", n.Nodes, n.Channels, verb.Line(n.Name))
		default:
			fmt.Fprintf(w, "embeddings: %d×%d by %s (SHA-256 %.16s…), embedder %s\n",
				n.Nodes, n.Channels, verb.Line(n.Name), n.SHA256, n.Embedder.Kind)
		}
	})
}

type makeOptions struct {
	teaching
	name   string
	output verb.Output
}

// makeProject writes a project file with the images of folders.
func (o *makeOptions) makeProject(cmd *cobra.Command, args []string) error {
	path, stderr := args[0], cmd.ErrOrStderr()
	if o.support == "" {
		return errors.New("--support is missing: give a folder with a subfolder of examples for each class")
	}
	if err := o.output.Check(path, []string{o.support, o.network.Weights}, verb.BeginsZip("manifest.json")); err != nil {
		return err
	}
	l, err := o.byFolders(stderr)
	if err != nil {
		return err
	}
	if err := flags.CheckPages(l.Method()); err != nil {
		fmt.Fprintln(stderr, "note:", err)
	}
	now := time.Now().UTC().Truncate(time.Second)
	folder, err := filepath.Abs(o.support) // which may be given as "."
	if err != nil {
		return err
	}
	name := cmp.Or(o.name, filepath.Base(folder))
	about := project.Manifest{Name: name, Generator: "deepemd " + core.Version, Created: now, Saved: now}
	if err := atomicfile.Write(path, func(w io.Writer) error { return archive.Save(w, l.Learner, about) }); err != nil {
		return err
	}
	examples := 0
	for _, c := range l.Classes() {
		examples += len(c.Examples)
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %s, %s\n", path, plural.Count(len(l.Classes()), "class", "classes"), plural.Count(examples, "example", "examples"))
	return err
}
