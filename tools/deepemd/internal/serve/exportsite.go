package serve

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/backbone"
	"github.com/deepemd/deepemd/internal/publish"
	"github.com/deepemd/deepemd/internal/server"
	"github.com/deepemd/deepemd/tools/deepemd/internal/flags"
	"github.com/deepemd/deepemd/tools/deepemd/internal/verb"
)

func init() { verb.Register(verb.Serve, newExportSiteCommand) }

func newExportSiteCommand() *cobra.Command {
	var o exportOptions
	piece := publish.LargestFile >> 20
	command := &cobra.Command{
		Use:   "export-site DIR",
		Short: "Write the studio as a static site for any file server",
		Long: "Write the built studio into a new folder of plain files for any file server or content delivery network, under\n" +
			"any path. No file is larger than 24 MiB: larger weights are split, and joined in the browser. The README in the\n" +
			"folder describes the server settings; some servers read them from _headers.\n\n" +
			"--pages copies the shared pages (.html) and project files (.deepemd) of a folder into the site's folder pages.\n" +
			"With --embed the headers allow pages of any origin to show them in frames and to fetch them, the package and the\n" +
			"networks; the studio itself remains closed to them.",
		Example: "  deepemd export-site public\n" +
			"  deepemd export-site public --weights runs/b/best.safetensors\n" +
			"  deepemd export-site public --embed --pages shared",
		Args: verb.Arguments(1, 1, "one folder", "DIR"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if piece < 1 || piece > publish.LargestFile>>20 {
				return fmt.Errorf("--piece %d: want MiB from 1 to %d", piece, publish.LargestFile>>20)
			}
			o.hosting.Piece = piece << 20
			return exportSite(cmd.OutOrStdout(), cmd.ErrOrStderr(), args[0], o)
		},
	}
	command.Flags().StringVar(&o.site, "dir", "build/site", "folder of the built site")
	command.Flags().StringVar(&o.weights, "weights", "", "weights, a safetensors file or the name of a network in the program, instead of the default network")
	command.Flags().IntVar(&piece, "piece", piece, "maximum size of a file of weights in MiB")
	command.Flags().StringVar(&o.pages, "pages", "", "folder of shared pages and project files for the site")
	command.Flags().BoolVar(&o.hosting.Embeddable, "embed", false, "allow pages of any origin to embed shared pages, projects and the package")
	return command
}

type exportOptions struct {
	site, weights, pages string
	hosting              publish.ExportOptions
}

func exportSite(w, stderr io.Writer, dir string, o exportOptions) error {
	if own := o.weights; own != "" {
		path, data, err := readWeights(stderr, own)
		if err != nil {
			return err
		}
		o.hosting.Weights, o.hosting.WeightsName = data, plainName(path)
	}
	var err error
	if o.hosting.Pages, err = openPages(o.pages); err != nil {
		return err
	}
	if err := publish.Export(dir, os.DirFS(o.site), o.hosting); err != nil {
		return siteError(o.site, err)
	}
	_, err = fmt.Fprintf(w, "%s has the studio: copy it to a server; its README.md describes the server settings\n", dir)
	return err
}

// readWeights returns weights that the browser can use, and the path of their file. It notes assumed
// metadata on stderr.
func readWeights(stderr io.Writer, flag string) (path string, data []byte, err error) {
	if path, data, err = flags.ReadWeights(flag); err != nil {
		return "", nil, err
	}
	file, err := weights.Decode(path, data)
	if err != nil {
		return "", nil, err
	}
	if _, err := backbone.New(file, backbone.Options{Threads: 1}); err != nil {
		return "", nil, fmt.Errorf("%w: try `deepemd import %s w.safetensors`", err, path)
	}
	flags.NoteAssumed(stderr, file.Meta)
	return path, data, nil
}

// siteError adds the folder and the flag to an error about a folder without a built site.
func siteError(dir string, err error) error {
	if errors.Is(err, server.ErrSite) {
		return fmt.Errorf("%s: %w, or unpack the site archive of a release, and name its folder with --dir", dir, err)
	}
	return err
}

// plainName replaces the characters in a file name that need escapes in addresses.
func plainName(file string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("/\\\"?#% ", r) {
			return '-'
		}
		return r
	}, filepath.Base(file))
}
