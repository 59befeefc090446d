package serve

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/deepemd/deepemd/core/network"
	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/core/project/archive"
	"github.com/deepemd/deepemd/internal/atomicfile"
	"github.com/deepemd/deepemd/internal/namedfile"
	"github.com/deepemd/deepemd/internal/plural"
	"github.com/deepemd/deepemd/internal/publish"
	"github.com/deepemd/deepemd/internal/server"
	"github.com/deepemd/deepemd/tools/deepemd/internal/flags"
	"github.com/deepemd/deepemd/tools/deepemd/internal/verb"
)

func init() { verb.Register(verb.Serve, newShareCommand) }

func newShareCommand() *cobra.Command {
	var o shareOptions
	command := &cobra.Command{
		Use:   "share PROJECT PAGE",
		Short: "Make a self-contained web page of a project",
		Long: "Write a project (*.deepemd) as one HTML file with the engine and the network, like \"Share as a page\" in the\n" +
			"studio. The page opens with a double click, offline, and in an iframe; it sends no data.\n\n" +
			"A page that shows it in an iframe can send it pictures to classify. --parent limits this to some origins.",
		Example: "  deepemd share my.deepemd my.html\n" +
			"  deepemd share my.deepemd my.html --weights runs/b/best.safetensors --language de\n" +
			"  deepemd share my.deepemd my.html --parent https://example.org",
		Args: verb.Arguments(2, 2, "a project and the page to write", "my.deepemd my.html"),
		RunE: o.share,
	}
	flags := command.Flags()
	o.output.Register(flags)
	flags.StringVar(&o.site, "dir", "build/site", "folder of the built site, with the engine and the page's template")
	flags.StringVar(&o.weights, "weights", "", "weights of the project's network, a safetensors file or the name of a network in the program (default: the one that taught it, or "+network.ResNet12Photo+")")
	flags.StringVar(&o.title, "title", "", "title of the page (default: the project's name)")
	flags.StringVar(&o.language, "language", "", "language of the page, "+strings.Join(publish.Languages, " or ")+" (default: the language of the browser)")
	flags.StringArrayVar(&o.parents, "parent", nil, "origin of pages that may send pictures to the page in an iframe, such as https://example.org; can be repeated (default: any)")
	return command
}

type shareOptions struct {
	site, weights   string
	title, language string
	parents         []string
	output          verb.Output
}

func (o *shareOptions) share(cmd *cobra.Command, args []string) error {
	from, to := args[0], args[1]
	if err := o.output.Check(to, []string{from, o.weights}, verb.Begins(publish.Beginning)); err != nil {
		return err
	}
	manifest, err := readSharable(from)
	if err != nil {
		return err
	}
	c := publish.Contents{Title: cmp.Or(o.title, manifest.Name), Language: o.language, Parents: o.parents}
	if c.Weights, err = o.network(cmd.ErrOrStderr(), from, manifest); err != nil {
		return err
	}
	file, err := namedfile.Read(from, namedfile.MaxWeights)
	if err != nil {
		return err
	}
	if c.Project, err = publish.Project(file); err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	template, err := o.built(publish.Template)
	if err != nil {
		return err
	}
	if c.Engine, err = o.built(publish.Engine(manifest.Kind)); err != nil {
		return err
	}
	page, err := publish.Page(template, c)
	if err != nil {
		return err
	}
	err = atomicfile.Write(to, func(w io.Writer) error {
		_, err := w.Write(page)
		return err
	})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %s, %s, %.1f MB: open it in a browser, or put it on a web server\n",
		to, plural.Count(len(manifest.Classes), "class", "classes"), plural.Count(manifest.Examples(), "example", "examples"), float64(len(page))/1e6)
	return err
}

// readSharable reads all of a project file, and returns its manifest if it can be shared as a page.
func readSharable(path string) (*project.Manifest, error) {
	file, closeFile, err := flags.OpenProject(path)
	if err != nil {
		return nil, err
	}
	defer closeFile()
	m := &file.Manifest
	if m.Kind == project.KindFeatures {
		return nil, fmt.Errorf("%s: %w", path, flags.ErrFeatures)
	}
	if _, _, err := flags.CheckProject(file); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if err := flags.CheckPages(m.Method); err != nil {
		return nil, fmt.Errorf("%s: %w: make one with another method", path, err)
	}
	for _, c := range m.Classes {
		if !c.Disabled && !c.Nothing && len(c.Examples) > 0 {
			return m, nil
		}
	}
	return nil, fmt.Errorf("%s: no enabled class has examples: add some first", path)
}

// network returns the weights of the page: the given ones, or the network in the program that taught the
// project, or the default if the file names none.
func (o *shareOptions) network(stderr io.Writer, path string, m *project.Manifest) ([]byte, error) {
	data := network.ResNet12PhotoWeights()
	if m.Kind == project.KindSound {
		data = network.ResNet12SoundWeights()
	}
	if o.weights != "" {
		var err error
		if _, data, err = readWeights(stderr, o.weights); err != nil {
			return nil, err
		}
	}
	if n := m.Network; n != nil && n.SHA256 != archive.Digest(data) {
		if made := flags.Maker(n.SHA256); made != nil && o.weights == "" {
			return made.Weights, nil
		}
		if o.weights == "" {
			return nil, fmt.Errorf("%s was taught with the network %s (SHA-256 %.16s…), which is not in the program: give that network's file with --weights", path, n.Name, n.SHA256)
		}
		fmt.Fprintf(stderr, "note: %s was taught with the network %s (SHA-256 %.16s…), not with %s: the page embeds its pictures again when it opens, and may give other answers\n",
			path, n.Name, n.SHA256, o.weights)
	}
	return data, nil
}

func (o *shareOptions) built(name string) ([]byte, error) {
	data, err := os.ReadFile(filepath.Join(o.site, filepath.FromSlash(name)))
	if errors.Is(err, os.ErrNotExist) {
		err = fmt.Errorf("%w: it has no %s: build one with `make build`", server.ErrSite, name)
	}
	return data, siteError(o.site, err)
}
