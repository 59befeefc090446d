// Package layering has the import rules for packages and their tests: dependencies point one way,
// from the tools through web, wasm and trainer to the core and the solver. Its tests check these
// rules, package comments, JavaScript imports, and the dependencies of the WebAssembly programs.
package layering

import (
	"slices"
	"strings"
)

// Module is the import path of this project.
const Module = "github.com/deepemd/deepemd"

// room is a part of the module with its rules.
type room struct {
	paths []string // folders in the module

	// imports are the allowed imports, as prefixes. The prefix "./" is this module, and "*" all
	// other modules. The standard library is allowed, except forbids.
	imports []string
	forbids []string

	// apart forbids imports between the subfolders of the folder.
	apart bool
}

// without are the packages that inference does not import on any platform.
var without = []string{"os", "net", "net/http", "regexp", "syscall/js"}

// rooms are the rules. The first room that contains a package applies.
var rooms = []room{
	{
		paths:   []string{"solver"},
		imports: []string{"./solver", "gonum.org/v1/gonum"},
		forbids: without,
	},
	{
		paths:   []string{"internal/kernel/gemmasm", "internal/kernel/neonasm"},
		imports: []string{"github.com/mmcloughlin/avo"},
	},
	{
		paths: []string{"core", "internal/backbone", "internal/foreign", "internal/kernel", "internal/nn", "internal/tensor"}, // inference
		imports: []string{"./core", "./solver", "./internal/backbone", "./internal/filekind", "./internal/folders", "./internal/kernel", "./internal/nn", "./internal/tensor",
			"gonum.org/v1/gonum", "golang.org/x/image", "golang.org/x/sys/cpu", "github.com/hajimehoshi/go-mp3"},
		forbids: without,
	},
	{
		paths:   []string{"trainer/evaluate"},
		imports: []string{"./trainer/data", "./trainer/evaluate", "./core", "./solver", "./internal", "*"},
		forbids: []string{"net/http", "syscall/js"},
	},
	{
		paths:   []string{"trainer"},
		imports: []string{"./trainer", "./core", "./solver", "./internal", "*"},
		forbids: []string{"net/http", "syscall/js"},
	},
	{
		paths:   []string{"wasm"},
		imports: []string{"./wasm", "./core", "./solver", "./internal/jsvalue"},
		forbids: []string{"net/http"},
	},
	{
		paths:   []string{"web/internal/studiotest", "web/internal/tests"},
		imports: []string{"./web", "./core", "./internal", "*"},
	},
	{
		paths: []string{"web/internal/feature"},
		imports: []string{"./web/internal/feature", "./web/internal/kernel", "./web/internal/ui", "./web/internal/view", "./web/internal/browser", "./web/internal/texts",
			"./web/internal/lessons", "./core/answer", "./core/method", "./core/network", "./core/project", "./internal/folders", "github.com/maxence-charriere/go-app/v9"},
		apart: true,
	},
	{
		paths:   []string{"web/internal/kernel"},
		imports: []string{"./web/internal/texts", "./core/answer", "./core/method", "./core/network", "./core/project", "./internal/foreign"},
	},
	{
		paths: []string{"web/internal"}, // the studio, which computes nothing that the engine computes
		imports: []string{"./web/internal", "./internal/jsvalue", "./internal/languages",
			"./core/answer", "./internal/foreign", "./core/method", "./core/network", "./core/project", "github.com/maxence-charriere/go-app/v9"},
	},
	{
		paths:   []string{"web"},
		imports: []string{"./web", "./core", "./internal/languages", "*"},
	},
	{
		paths:   []string{"internal"},
		imports: []string{"./internal", "./core", "./solver", "*"},
	},
	{
		paths:   []string{"tools"},
		imports: []string{"./", "*"},
	},
}

// layers are the top-level folders from the bottom to the top. Tests import no higher folder; tests
// of a room that is apart import none of its other subfolders.
var layers = []string{"solver", "core", "trainer", "wasm", "web", "tools"}

// dependency is one import of a package or its tests.
type dependency struct {
	from, to string
	test     bool
}

// violations returns a message for each forbidden dependency.
func violations(deps []dependency) []string {
	var found []string
	for _, d := range deps {
		from := d.from
		if d.test {
			from = "the test of " + from
		}
		r, path, ok := roomOf(d.from)
		switch {
		case !ok:
			found = append(found, d.from+" lies in no room: add it to the rules or move it")
		case r.apart && neighbors(path, d), !d.test && slices.Contains(r.forbids, d.to):
			found = append(found, from+" imports "+d.to+", which "+path+" must do without")
		case d.test && layer(d.to) > layer(d.from) && layer(d.from) >= 0, !d.test && !allowed(r.imports, d.to):
			found = append(found, from+" imports "+d.to+", which "+path+" may not")
		}
	}
	return found
}

// roomOf returns the room of a package, and the room's folder.
func roomOf(importPath string) (r room, path string, ok bool) {
	for _, r := range rooms {
		for _, path := range r.paths {
			if within(importPath, Module+"/"+path) {
				return r, path, true
			}
		}
	}
	return room{}, "", false
}

// layer returns the position of a package in layers, or −1.
func layer(path string) int {
	own, _ := strings.CutPrefix(path, Module+"/")
	first, _, _ := strings.Cut(own, "/")
	return slices.Index(layers, first)
}

// within reports whether path is prefix or a folder below it.
func within(path, prefix string) bool { return path == prefix || strings.HasPrefix(path, prefix+"/") }

// allowed reports whether a path is in the standard library, where the first element has no dot, or
// has one of the prefixes.
func allowed(prefixes []string, path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".") || slices.ContainsFunc(prefixes, func(prefix string) bool {
		own, mine := strings.CutPrefix(prefix, "./")
		return prefix == "*" && !within(path, Module) || within(path, prefix) || mine && (own == "" && within(path, Module) || within(path, Module+"/"+own))
	})
}

// neighbors reports whether one subfolder of a folder imports another.
func neighbors(folder string, d dependency) bool {
	from, inside := strings.CutPrefix(d.from, Module+"/"+folder+"/")
	to, there := strings.CutPrefix(d.to, Module+"/"+folder+"/")
	first := func(path string) string { name, _, _ := strings.Cut(path, "/"); return name }
	return inside && there && first(from) != first(to)
}
