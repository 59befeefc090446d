package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/deepemd/deepemd/internal/atomicfile"
)

// licensesFolder contains the license texts named in NOTICE. It is a separate module, so that go get
// does not download it.
const licensesFolder = "licenses"

// accepted lists the licenses whose conditions the products meet: they ship the texts, the NOTICE
// files, and the notes below.
var accepted = []string{"Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "MIT", "Unlicense"}

// choices complete or replace the findings of go-licenses, by module.
var choices = map[string]struct {
	license string   // replaces the license found
	files   []string // patterns of further texts in the module's folder
}{
	// The other licenses in its file cover parts in other languages.
	"github.com/apache/arrow/go/arrow": {license: "Apache-2.0"},
	"golang.org/x/image":               {files: []string{"font/gofont/ttfs/README"}},
	"gonum.org/v1/gonum":               {files: []string{"THIRD_PARTY_LICENSES/*"}},
}

// others are the components that are not Go modules. TypeDoc and lunr are in the reference of the
// JavaScript package.
var others = []component{
	{name: "Omniglot", license: "MIT", in: []string{ofSite}, texts: []string{"web/static/web/characters/LICENSE.txt"},
		note: "Drawn characters from Omniglot (Brenden Lake, Ruslan Salakhutdinov and Joshua Tenenbaum, Science 350, 2015), https://github.com/brendenlake/omniglot: an excerpt, arranged as one image."},
	{name: "Photographs of fruits", license: "MIT", in: []string{ofSite}, texts: []string{"web/static/web/demo/README.md"},
		note: "By Microsoft, from https://github.com/MicrosoftLearning/AI-102-AIEngineer; cut to squares and scaled."},
	{name: "Photographs of cats", license: "BSD-3-Clause", in: []string{ofSite}, texts: []string{"web/static/web/demo/README.md"},
		note: "By Max Ogden, from https://github.com/maxogden/cats; cut to squares and scaled."},
	{name: "resnet12-photo", license: "MIT", in: []string{ofCommand, ofNPM, ofSite},
		note: "Weights by this project, trained on miniImageNet, Tiny ImageNet and the outputs of a MobileNet v1 trained on ImageNet, which are distributed for research: users judge whether such weights suit another use. https://github.com/deepemd/deepemd/tree/main/core/network/resnet12photo"},
	{name: "resnet12-s", license: "MIT", in: []string{ofCommand, ofSite}, note: imageNet},
	{name: "resnet12-sound", license: "MIT", in: []string{ofCommand, ofNPM, ofSite},
		note: "Weights by this project, trained on words from the speech synthesizers eSpeak NG (GPL 3 or later) and Flite (a permissive license), of which no part is included. https://github.com/deepemd/deepemd/tree/main/core/network/resnet12sound"},
	{name: "resnet12-xs", license: "MIT", in: []string{ofCommand, ofSite}, note: imageNet},
}

const imageNet = "Weights by this project, trained on Tiny ImageNet, which like ImageNet is distributed for research: users judge whether such weights suit another use. https://github.com/deepemd/deepemd/tree/main/core/network"

// linker is a program and the products that contain it.
type linker struct {
	pkg         string
	in          []string
	environment []string
	flags       []string // of go list
}

// linkers returns the programs of all products.
func linkers(modfile string) []linker {
	all := []linker{}
	for _, platform := range []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64", "windows/arm64"} {
		system, processor, _ := strings.Cut(platform, "/")
		all = append(all, linker{"./tools/deepemd", []string{ofCommand}, []string{"GOOS=" + system, "GOARCH=" + processor, "GOEXPERIMENT=simd", "CGO_ENABLED=0"}, nil})
	}
	for _, p := range append(slices.Clone(kitPrograms), studioProgram(modfile)) {
		in := []string{ofNPM, ofSite}
		if p.pkg == "./web/studio" {
			in = in[1:]
		}
		flags := slices.DeleteFunc(slices.Clone(p.flags), func(f string) bool { return strings.HasPrefix(f, "-buildmode") })
		all = append(all, linker{p.pkg, in, p.environment(), flags})
	}
	return all
}

// linked returns the modules that a program links, by path.
func (s *folder) linked(l linker) (map[string]*linkedModule, error) {
	const modules = `{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}} {{.Dir}}{{end}}{{end}}`
	out, err := output(s.root, l.environment, "go", append(append([]string{"list", "-deps", "-f", modules}, l.flags...), l.pkg)...)
	if err != nil {
		return nil, err
	}
	found := map[string]*linkedModule{}
	for line := range strings.Lines(out) {
		if f := strings.SplitN(strings.TrimSpace(line), " ", 3); len(f) == 3 && found[f[0]] == nil {
			found[f[0]] = &linkedModule{version: f[1], dir: f[2]}
		}
	}
	return found, nil
}

// linkedModule is a linked Go module with the findings of go-licenses.
type linkedModule struct {
	version, dir string
	in           []string
	licenses     []string
	folders      []string // further folders with license files
}

// rows is the template of the report of go-licenses: one line for each license of a module, or of a
// part of one.
const rows = "{{range .}}{{.Name}}\t{{.LicenseName}}\t{{.LicensePath}}\n{{end}}"

// classify adds the findings of go-licenses, which the Makefile builds, to the modules of a program.
func (s *folder) classify(l linker, modules map[string]*linkedModule) error {
	template := s.tempPath("licenses.tmpl")
	if err := atomicfile.Replace(template, []byte(rows)); err != nil {
		return err
	}
	// It reads tags from GOFLAGS, and no other module file. That omits modules, and adds none.
	tags := slices.DeleteFunc(slices.Clone(l.flags), func(f string) bool { return !strings.HasPrefix(f, "-tags") })
	out, err := output(s.root, append(slices.Clone(l.environment), "GOFLAGS="+strings.Join(tags, " ")), filepath.Join(s.root, "build", "tools", "go-licenses"),
		"report", "--ignore", "github.com/deepemd/deepemd", "--template", template, l.pkg)
	if err != nil {
		return err
	}
	for line := range strings.Lines(out) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		name := f[0]
		for modules[name] == nil && name != "." {
			name = path.Dir(name)
		}
		m := modules[name]
		if m == nil || len(f) != 3 || f[1] == "Unknown" {
			continue
		}
		m.licenses = append(m.licenses, f[1])
		m.folders = append(m.folders, filepath.Dir(f[2]))
	}
	return nil
}

// licenses writes NOTICE, and the texts that it names into the folder licenses.
func (s *folder) licenses() error {
	modfile, err := slimGoApp(s.root)
	if err != nil {
		return err
	}
	modules := map[string]*linkedModule{}
	for _, l := range linkers(modfile) {
		linked, err := s.linked(l)
		if err != nil {
			return err
		}
		if err := s.classify(l, linked); err != nil {
			return err
		}
		for name, m := range linked {
			if modules[name] == nil {
				modules[name] = m
			}
			modules[name].in = append(modules[name].in, l.in...)
		}
	}
	if err := s.unmanaged(modules); err != nil {
		return err
	}
	texts := licenseTexts{}
	components := slices.Clone(others)
	for _, name := range slices.Sorted(maps.Keys(modules)) {
		c, err := texts.describe(name, modules[name])
		if err != nil {
			return err
		}
		components = append(components, c)
	}
	slices.SortFunc(components, func(a, b component) int { return cmp.Compare(strings.ToLower(a.name), strings.ToLower(b.name)) })
	if err := texts.write(filepath.Join(s.root, licensesFolder)); err != nil {
		return err
	}
	return atomicfile.Replace(filepath.Join(s.root, "NOTICE"), format(components))
}

// unmanaged adds Go, and the programs whose scripts are in the reference of the JavaScript package.
// make reference installs them.
func (s *folder) unmanaged(modules map[string]*linkedModule) error {
	goroot, err := output(s.root, nil, "go", "env", "GOROOT")
	if err != nil {
		return err
	}
	version, _, _ := strings.Cut(strings.TrimPrefix(runtime.Version(), "go"), "-") // without experiments
	modules["Go"] = &linkedModule{version: version, dir: goroot, in: []string{ofCommand, ofNPM, ofSite}, licenses: []string{"BSD-3-Clause"}}
	for _, name := range []string{"typedoc", "lunr"} {
		dir := filepath.Join(s.root, "build", "docs", "tool", "node_modules", name)
		text, err := os.ReadFile(filepath.Join(dir, "package.json"))
		if err != nil {
			return fmt.Errorf("%w: make reference installs it", err)
		}
		var manifest struct{ Version, License string }
		if err := json.Unmarshal(text, &manifest); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		modules[name] = &linkedModule{version: manifest.Version, dir: dir, in: []string{ofSite}, licenses: []string{manifest.License}}
	}
	return nil
}
