package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/deepemd/deepemd/core"
)

// entries are the modules that pages import from a content delivery network. The modules of a group
// share their common code.
var entries = [][]string{{"deepemd.js", "element.js", "project.js", "gallery.js"}, {"solver.js"}}

// cdn writes the folder cdn of package deepemd: the modules for pages without a bundler, which load
// the package's files unchanged from one server. Package names have no meaning there, so networks
// have addresses. Each entry consists of its file and one shared file, because every further file
// costs a round trip.
func (s *folder) cdn() error {
	for _, group := range entries {
		o := api.BuildOptions{
			Outdir: filepath.Join(s.out, kitFolder, "cdn"), Splitting: true, Format: api.FormatESModule, ChunkNames: "shared-[hash]",
			Plugins: []api.Plugin{s.relocated()},
		}
		for _, entry := range group {
			o.EntryPoints = append(o.EntryPoints, s.source(entry))
		}
		files, err := s.esbuild("cdn", o)
		if err != nil {
			return err
		}
		for _, file := range files {
			if err := s.write(path.Join(kitFolder, "cdn", filepath.Base(file.Path)), append(file.Contents, '\n')); err != nil {
				return err
			}
		}
	}
	return nil
}

// relocated makes the relative addresses in modules valid in the folder cdn.
func (s *folder) relocated() api.Plugin {
	return api.Plugin{Name: "relocated", Setup: func(build api.PluginBuild) {
		build.OnLoad(api.OnLoadOptions{Filter: `[/\\]wasm[/\\]npm[/\\][^/\\]+\.js$`}, func(args api.OnLoadArgs) (api.OnLoadResult, error) {
			name, from := filepath.Base(args.Path), args.Path
			if name == "assets.js" { // contains sizes
				from = filepath.Join(s.out, kitFolder, name)
			}
			data, err := os.ReadFile(from)
			text := strings.ReplaceAll(string(data), `new URL("./`, `new URL("../`)
			if name == "networks.js" {
				text = servedNetworks()
			}
			return api.OnLoadResult{Contents: &text, Loader: api.LoaderJS, ResolveDir: filepath.Dir(args.Path)}, err
		})
	}}
}

// servedNetworks returns networks.js for the folder cdn. The networks are packages on the same
// server.
func servedNetworks() string {
	var all strings.Builder
	for _, n := range networks {
		fmt.Fprintf(&all, "  %s: { get url() { return new URL(\"../../%[2]s%[3]s@%[4]s/%[3]s.safetensors\", import.meta.url); }, bytes: %[5]d, sha256: \"%[6]x\" },\n",
			n.use, scope, n.name, core.Version, len(n.file), sha256.Sum256(n.file))
	}
	return "export const networks = {\n" + all.String() + "};\n"
}
