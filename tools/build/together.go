package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/deepemd/deepemd/core"
)

// studioScripts is the source folder of the studio's modules.
const studioScripts = "web/static/web"

// together lists the modules of a folder that the site has as one file with all their imports,
// because forty modules cost more in round trips than in bytes. Later modules import from earlier
// files.
var together = map[string][]string{
	npm:           {"deepemd.js", "project.js", "element.js", "gallery.js"},
	studioScripts: {"boot.js", "projects.js"},
}

// apart are modules that remain separate files: publishers of a site replace networks.js, and the
// studio uses the others without the element.
var apart = []string{"awake.js", "framing.js", "networks.js", "video-frames.js"}

// joined returns the joined files of a folder. Each joined module also remains as a file that
// re-exports its names, so that every module exists once however it is imported. made contains
// modules that differ from the source.
func (s *folder) joined(from string, made map[string][]byte) (map[string][]byte, error) {
	j := joiner{folder: s, from: filepath.Join(s.root, filepath.FromSlash(from)), made: made, files: map[string][]byte{}, views: map[string]string{}}
	for _, entry := range together[from] {
		if err := j.join(entry); err != nil {
			return nil, err
		}
	}
	return j.files, nil
}

type joiner struct {
	*folder
	from  string
	made  map[string][]byte
	files map[string][]byte // files of the site, by name
	views map[string]string // the re-exporting source of joined modules
}

// statement matches the static imports of a module.
var statement = regexp.MustCompile(`(?m)^(?:import|export) .*from "\./([\w-]+\.js)";`)

// declared matches the exports of a module.
var declared = regexp.MustCompile(`(?m)^export (?:async )?(?:function\*? |const |class )(\w+)`)

func (j *joiner) source(name string) (string, error) {
	if text, ok := j.made[name]; ok {
		return string(text), nil
	}
	text, err := os.ReadFile(filepath.Join(j.from, name))
	return string(text), err
}

// join makes one file of a module and its imports, without the modules in other files.
func (j *joiner) join(entry string) error {
	texts, names := map[string]string{}, []string{entry}
	for i := 0; i < len(names); i++ {
		text, err := j.source(names[i])
		if err != nil {
			return err
		}
		texts[names[i]] = text
		for _, m := range statement.FindAllStringSubmatch(text, -1) {
			if name := m[1]; !slices.Contains(names, name) && j.files[name] == nil && !slices.Contains(apart, name) {
				names = append(names, name)
			}
		}
	}
	// The export _ has the names that pages do not import, for the package's other files.
	var source strings.Builder
	var all []string
	fmt.Fprintf(&source, "export * from %q;\n", "./"+entry)
	for _, name := range names[1:] {
		var given []string
		for _, m := range declared.FindAllStringSubmatch(texts[name], -1) {
			given = append(given, m[1])
		}
		list := strings.Join(given, ", ")
		fmt.Fprintf(&source, "import { %s } from %q;\n", list, "./"+name)
		j.views[name] = fmt.Sprintf("import { _ } from %q;\nexport const { %s } = _;\n", "./"+entry, list)
		j.files[name] = []byte(j.views[name])
		all = append(all, given...)
	}
	fmt.Fprintf(&source, "export const _ = { %s };\n", strings.Join(all, ", "))
	files, err := j.esbuild(entry, api.BuildOptions{
		Stdin:  &api.StdinOptions{Contents: source.String(), ResolveDir: j.from, Sourcefile: entry},
		Format: api.FormatESModule, Banner: map[string]string{"js": "/*! deepemd " + core.Version + " (MIT) */"},
		Plugins: []api.Plugin{{Name: "together", Setup: func(build api.PluginBuild) { j.plug(build, texts) }}},
	})
	if err != nil {
		return err
	}
	j.files[entry] = files[0].Contents
	return nil
}

// plug resolves the modules of the given texts within the file, and modules of earlier files to
// imports from there.
func (j *joiner) plug(build api.PluginBuild, texts map[string]string) {
	const here, there = "here", "there"
	build.OnResolve(api.OnResolveOptions{Filter: `.*`}, func(args api.OnResolveArgs) (api.OnResolveResult, error) {
		name, _ := strings.CutPrefix(args.Path, "./")
		_, inside := texts[name]
		switch {
		case args.Kind == api.ResolveJSDynamicImport || args.Namespace == there:
			return api.OnResolveResult{Path: args.Path, External: true}, nil
		case inside:
			return api.OnResolveResult{Path: name, Namespace: here}, nil
		case j.views[name] != "":
			return api.OnResolveResult{Path: name, Namespace: there}, nil
		}
		return api.OnResolveResult{Path: args.Path, External: true}, nil
	})
	for namespace, modules := range map[string]map[string]string{here: texts, there: j.views} {
		build.OnLoad(api.OnLoadOptions{Filter: `.*`, Namespace: namespace}, func(args api.OnLoadArgs) (api.OnLoadResult, error) {
			text := modules[args.Path]
			return api.OnLoadResult{Contents: &text, Loader: api.LoaderJS}, nil
		})
	}
}
