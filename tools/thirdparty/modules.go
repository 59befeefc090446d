package thirdparty

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// module is a Go module, or Go itself, that programs link.
type module struct {
	path, version string
	dir           string
	packages      map[string]bool // folders of those that are linked
	in            map[Product]bool
	needs         map[string]bool // references
}

// ref is a module's package URL, which has no capital letters.
func (m *module) ref() string { return "pkg:golang/" + strings.ToLower(m.path) + "@" + m.version }

// itself is the path by which Go's own packages are known: that of the package URLs that
// databases of vulnerabilities use for them.
const itself = "std"

// listed is what the go command says of a package.
type listed struct {
	ImportPath, Dir string
	Standard        bool
	Module          *struct {
		Path, Version, Dir string
		Main               bool
	}
	Imports []string
}

// linked asks the go command what each program links, and returns the modules. The
// programs go into the inventory.
func linked(root string, all []Source, found *Inventory) ([]*module, error) {
	modules := map[string]*module{}
	for _, s := range all {
		packages, err := dependencies(root, s)
		if err != nil {
			return nil, err
		}
		goroot, version, err := toolchain(root, s)
		if err != nil {
			return nil, err
		}
		of := map[string]*module{} // by import path
		refs := map[string]bool{}
		for _, p := range packages {
			path, v, dir := itself, version, goroot
			switch {
			case p.Standard:
			case p.Module == nil:
				return nil, fmt.Errorf("go list: %s belongs to no module", p.ImportPath)
			case p.Module.Main:
				continue
			default:
				path, v, dir = p.Module.Path, p.Module.Version, p.Module.Dir
			}
			m := modules[path]
			if m == nil {
				m = &module{path: path, version: v, dir: dir, packages: map[string]bool{}, in: map[Product]bool{}, needs: map[string]bool{}}
				modules[path] = m
			}
			m.packages[p.Dir] = true
			for _, product := range s.In {
				m.in[product] = true
			}
			of[p.ImportPath], refs[m.ref()] = m, true
		}
		for _, p := range packages {
			from := of[p.ImportPath]
			for _, name := range p.Imports {
				if to := of[name]; from != nil && to != nil && from != to {
					from.needs[to.ref()] = true
				}
			}
		}
		found.Programs = append(found.Programs, Program{s.Name, s.In, slices.Sorted(maps.Keys(refs))})
	}
	return slices.Collect(maps.Values(modules)), nil
}

// dependencies lists all packages of a program.
func dependencies(root string, s Source) ([]listed, error) {
	out, err := goCommand(root, s, append(append([]string{"list", "-deps", "-json=ImportPath,Dir,Standard,Module,Imports"}, s.Flags...), s.Package)...)
	if err != nil {
		return nil, err
	}
	var all []listed
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		switch err := decoder.Decode(&p); {
		case errors.Is(err, io.EOF):
			return all, nil
		case err != nil:
			return nil, fmt.Errorf("go list %s: %w", s.Package, err)
		}
		all = append(all, p)
	}
}

// toolchain returns where Go lies that builds a program, and its version, "1.27.4".
func toolchain(root string, s Source) (goroot, version string, err error) {
	out, err := goCommand(root, s, "env", "GOROOT", "GOVERSION")
	if err != nil {
		return "", "", err
	}
	goroot, version, _ = strings.Cut(strings.TrimSpace(string(out)), "\n")
	version, _, _ = strings.Cut(version, " ") // without experiments
	version, _, _ = strings.Cut(version, "-")
	return goroot, strings.TrimPrefix(version, "go"), nil
}

func goCommand(root string, s Source, args ...string) ([]byte, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Env = root, append(os.Environ(), s.Environment...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go %s for %s: %w\n%s", args[0], s.Name, err, stderr.Bytes())
	}
	return out, nil
}

// describe makes parts of modules. Everything that is wrong with their licences is one
// error.
func describe(modules []*module) ([]Part, error) {
	var parts []Part
	var wrong []error
	for _, m := range modules {
		licence, texts, note, err := licenceOf(m)
		if err != nil {
			wrong = append(wrong, err)
			continue
		}
		part := Part{
			Name: m.path, Version: m.version, Kind: Library, Ref: m.ref(), From: "https://pkg.go.dev/" + m.path,
			Licence: licence, Texts: texts, Note: note, In: sorted(m.in), Needs: slices.Sorted(maps.Keys(m.needs)),
		}
		if m.path == itself {
			part.Name, part.From = "Go", "https://go.dev"
		}
		parts = append(parts, part)
	}
	slices.SortFunc(wrong, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	return parts, errors.Join(wrong...)
}

func sorted(in map[Product]bool) []Product { return slices.Sorted(maps.Keys(in)) }

// folders lists those from a module's root to its linked packages, as slash-separated
// names: a licence may lie in any of them.
func (m *module) folders() []string {
	all := map[string]bool{".": true}
	for dir := range m.packages {
		rel, err := filepath.Rel(m.dir, dir)
		if err != nil || m.path == itself { // what Go holds of others is under its own licence
			continue
		}
		for ; rel != "." && filepath.IsLocal(rel); rel = filepath.Dir(rel) {
			all[filepath.ToSlash(rel)] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}
