package recognise

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"time"

	"github.com/spf13/cobra"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/fewshot"
	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/core/parts"
	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/core/version"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/tools/deepemd/internal/encoder"
	"github.com/deepemd/deepemd/tools/deepemd/internal/fault"
	"github.com/deepemd/deepemd/tools/deepemd/internal/flags"
	"github.com/deepemd/deepemd/tools/deepemd/internal/verb"
	"github.com/deepemd/deepemd/trainer/data"
	"github.com/deepemd/deepemd/trainer/format/artifact"
)

func init() { verb.Register(verb.Recognise, newProjectCommand) }

// newProjectCommand returns the command about project files.
func newProjectCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "project",
		Short: "Look into project files (*.deepemd) and make them",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	command.AddCommand(&cobra.Command{
		Use:     "info FILE",
		Short:   "Say what a project file holds, and check all of it",
		Example: "  deepemd project info my.deepemd",
		Args:    cobra.ExactArgs(1),
		RunE:    func(cmd *cobra.Command, args []string) error { return projectInfo(cmd.OutOrStdout(), args[0]) },
	})
	var o makeOptions
	making := &cobra.Command{
		Use:   "make --support DIR FILE",
		Short: "Make a project file of pictures in folders",
		Long: "Make a project of the pictures in the sub-folders of DIR, one folder a class, that the studio opens\n" +
			"and `deepemd classify --project` takes.",
		Example: "  deepemd project make --support things things.deepemd",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return makeProject(cmd.OutOrStdout(), cmd.ErrOrStderr(), args[0], o)
		},
	}
	making.Flags().StringVar(&o.support, "support", "", "folder with a sub-folder of examples for each class")
	making.Flags().StringVar(&o.name, "name", "", "name of the project (default: that of the folder)")
	o.network.Register(making.Flags())
	command.AddCommand(making)
	return command
}

// openProject opens a project file; close ends it.
func openProject(path string) (p *project.File, close func(), err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, nil, fault.Readable(err)
	}
	facts, err := file.Stat()
	if err == nil && facts.IsDir() {
		err = errors.New("is a folder: give a file, *.deepemd")
	}
	if err == nil {
		p, err = project.Read(file, facts.Size())
	}
	if err != nil {
		file.Close()
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	return p, func() { file.Close() }, nil
}

// projectInfo prints what a project holds, after all of it was read.
func projectInfo(w io.Writer, path string) error {
	p, closeFile, err := openProject(path)
	if err != nil {
		return err
	}
	defer closeFile()
	m := &p.Manifest
	sides := map[[2]int]bool{}
	for _, c := range m.Classes {
		for _, e := range c.Examples {
			picture, err := p.Picture(e)
			if err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
			sides[[2]int{picture.Width, picture.Height}] = true
		}
	}
	embeddings, err := p.Embeddings()
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	fmt.Fprintf(w, "%s (%s, version %d)\n", m.Name, m.Kind, m.Version)
	if !m.Saved.IsZero() {
		fmt.Fprintf(w, "saved %s by %s\n", m.Saved.Format(time.RFC3339), m.Generator)
	}
	fmt.Fprintf(w, "%d classes, %d examples", len(m.Classes), m.Examples())
	for side := range sides {
		if len(sides) == 1 {
			fmt.Fprintf(w, " of %d×%d pixels", side[0], side[1])
		}
	}
	fmt.Fprintln(w)
	for _, c := range m.Classes {
		off := ""
		if c.Disabled {
			off = ", switched off"
		}
		fmt.Fprintf(w, "  %s: %d%s\n", c.Label, len(c.Examples), off)
	}
	switch {
	case embeddings == nil:
		fmt.Fprintln(w, "no embeddings: they are made from the pictures when it is opened")
	default:
		fmt.Fprintf(w, "embeddings: %d×%d by %s (SHA-256 %.16s…), embedder %s\n",
			m.Network.Nodes, m.Network.Channels, m.Network.Name, m.Network.SHA256, m.Network.Embedder.Kind)
	}
	return nil
}

// projectClasses returns the classes that a project has examples of, except those
// that are switched off. The embeddings in the file are used where this encoder,
// of weights with the given digest, would have made the same.
func projectClasses(path string, net *encoder.Encoder, digest string) ([]fewshot.Class, error) {
	p, closeFile, err := openProject(path)
	if err != nil {
		return nil, err
	}
	defer closeFile()
	var known [][]float32
	if sameNetwork(&p.Manifest, net, digest) {
		if known, err = p.Embeddings(); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	var classes []fewshot.Class
	at := 0
	for _, c := range p.Manifest.Classes {
		first := at
		at += len(c.Examples)
		if c.Disabled || len(c.Examples) == 0 {
			continue
		}
		class := fewshot.Class{Name: c.Label}
		for i, e := range c.Examples {
			if known != nil {
				n := p.Manifest.Network
				class.Support = append(class.Support, &embed.Set{N: n.Nodes, C: n.Channels, Data: known[first+i]})
				continue
			}
			picture, err := p.Picture(e)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", path, err)
			}
			sets, err := net.Embed(picture)
			if err != nil {
				return nil, fmt.Errorf("%s: %s: %w", path, e.Picture, err)
			}
			class.Support = append(class.Support, sets[0])
		}
		classes = append(classes, class)
	}
	if len(classes) == 0 {
		return nil, fmt.Errorf("%s: no class has examples: teach some first", path)
	}
	return classes, nil
}

// sameNetwork reports whether the project's embeddings are what the encoder makes.
func sameNetwork(m *project.Manifest, net *encoder.Encoder, digest string) bool {
	n := m.Network
	if n == nil || n.SHA256 != digest || m.Preprocess == nil || *m.Preprocess != preprocessOf(net.Preprocess) {
		return false
	}
	made, err := parts.All().Embedder(n.Embedder)
	return err == nil && reflect.DeepEqual(made, net.Embedder)
}

func preprocessOf(pre imaging.Preprocess) project.Preprocess {
	return project.Preprocess{Size: pre.Size, Resize: pre.Resize, Mean: pre.Mean, Std: pre.Std}
}

// projectEmbedder has the flags mean the embedder of a project, unless they name
// another.
func projectEmbedder(f *flags.Embedder, path string) error {
	if f.Given() {
		return nil
	}
	p, closeFile, err := openProject(path)
	if err != nil {
		return err
	}
	defer closeFile()
	*f = embedderFlags(p.Manifest.Method.Embedder)
	return nil
}

// embedderFlags are the flags that stand for an embedder that a file names.
func embedderFlags(e method.Embedder) flags.Embedder {
	return flags.Embedder{Kind: e.Kind, Pyramid: e.Pyramid, Grid: e.Grid, Ratio: e.Ratio, Patches: e.Patches, Seed: e.Seed}
}

// makeOptions are the flags of project make.
type makeOptions struct {
	network flags.Network
	support string
	name    string
}

// makeProject writes a project file of the pictures in folders.
func makeProject(stdout, stderr io.Writer, path string, o makeOptions) error {
	if o.support == "" {
		return errors.New("--support is missing: give the folder that has a sub-folder of examples for each class")
	}
	examples, err := data.OpenExamples(o.support)
	if err != nil {
		return err
	}
	defer examples.Close()
	net, err := o.network.Open(stderr, weights.Meta{})
	if err != nil {
		return err
	}
	digest, err := o.network.Digest()
	if err != nil {
		return err
	}
	m := &project.Manifest{
		Kind: project.KindImage, Name: o.name, Generator: "deepemd " + version.Current,
		Created: time.Now().UTC().Truncate(time.Second),
	}
	m.Saved = m.Created
	if m.Name == "" {
		m.Name = filepath.Base(filepath.Clean(o.support))
	}
	pre := preprocessOf(net.Preprocess)
	m.Preprocess = &pre
	var seen []*imaging.Image
	var sets []*embed.Set
	for i, c := range examples.Classes {
		class := project.Class{ID: fmt.Sprintf("class-%d", i+1), Label: c.Name, Hue: i}
		for _, file := range c.Files {
			raw, err := examples.Read(file)
			if err != nil {
				return err
			}
			picture, err := net.Decode(examples.Path(file), raw)
			if err != nil {
				return err
			}
			view := net.Embedder.View(net.Preprocess, picture)
			made, err := net.Embed(view)
			if err != nil {
				return fmt.Errorf("%s: %w", examples.Path(file), err)
			}
			seen, sets = append(seen, view), append(sets, made...)
			class.Examples = append(class.Examples, project.Example{ID: fmt.Sprintf("example-%d", len(seen))})
		}
		m.Classes = append(m.Classes, class)
	}
	chosen := o.network.Embedder.Choice()
	m.Method = method.Default()
	m.Method.Embedder = chosen.Complete()
	m.Network = &project.Network{
		Name: net.Network.Meta().Name, SHA256: digest, Embedder: chosen, Nodes: sets[0].N, Channels: sets[0].C,
	}
	err = artifact.Write(path, func(w io.Writer) error {
		return project.Write(w, m, project.Contents{
			Picture:   func(i int) (*imaging.Image, error) { return seen[i], nil },
			Embedding: func(i int) ([]float32, error) { return sets[i].Data, nil },
		})
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "%s: %d classes, %d examples\n", path, len(m.Classes), len(seen))
	return nil
}
