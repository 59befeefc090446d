package main

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/deepemd/deepemd/core/version"
)

// entries are the modules that pages import from a content delivery network.
var entries = []string{"deepemd.js", "element.js", "project.js"}

// cdn writes the folder cdn of package deepemd: the modules for pages without a bundler,
// which get the packages' files as they are from one server. There the name of a package
// means nothing, so networks have addresses; and all that an entry needs is in it and one
// more file, as each file is a way there and back.
func (s *folder) cdn(to string) error {
	o := api.BuildOptions{
		Outdir: filepath.Join(s.out, filepath.FromSlash(to), "cdn"), Splitting: true, Format: api.FormatESModule,
		Target: api.ES2022, Charset: api.CharsetUTF8, LegalComments: api.LegalCommentsNone, ChunkNames: "shared-[hash]",
		MinifyWhitespace: true, MinifySyntax: true, MinifyIdentifiers: true,
		Plugins: []api.Plugin{s.relocated(to)},
	}
	for _, entry := range entries {
		o.EntryPoints = append(o.EntryPoints, s.source(entry))
	}
	result := api.Build(s.resolve(o))
	if err := failures("cdn", result.Errors); err != nil {
		return err
	}
	for _, file := range result.OutputFiles {
		if err := s.write(path.Join(to, "cdn", filepath.Base(file.Path)), append(file.Contents, '\n')); err != nil {
			return err
		}
	}
	return nil
}

// relocated puts the addresses as they are from the folder cdn in the place of the
// modules that have them.
func (s *folder) relocated(to string) api.Plugin {
	return api.Plugin{Name: "relocated", Setup: func(build api.PluginBuild) {
		load := func(name string, contents func() (string, error)) {
			build.OnLoad(api.OnLoadOptions{Filter: `[/\\]` + name + `\.js$`}, func(args api.OnLoadArgs) (api.OnLoadResult, error) {
				text, err := contents()
				return api.OnLoadResult{Contents: &text, Loader: api.LoaderJS}, err
			})
		}
		load("assets", func() (string, error) {
			text, err := os.ReadFile(filepath.Join(s.out, filepath.FromSlash(to), "assets.js"))
			return strings.ReplaceAll(string(text), `new URL("./`, `new URL("../`), err
		})
		load("networks", func() (string, error) {
			var all strings.Builder
			for _, n := range networks {
				fmt.Fprintf(&all, "  %s: { get url() { return new URL(\"../../%[2]s%[3]s@%[4]s/%[3]s.safetensors\", import.meta.url); }, bytes: %[5]d },\n",
					n.use, scope, n.name, version.Current, len(n.file))
			}
			return "export const networks = {\n" + all.String() + "};\n", nil
		})
	}}
}
