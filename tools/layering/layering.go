// Package layering says which room of the project may import what, and its test
// holds the code to it: dependencies point one way, from the tools through web,
// wasm and trainer to the core and the solver.
package layering

import "strings"

// room is what the packages below a folder may import, in other rooms of this
// module and in other modules, by import path prefix. The standard library is
// open to all but where a rule forbids it.
type room struct {
	path    string
	imports []string
	forbids []string
}

// rooms are ordered from the most to the least particular.
var rooms = []room{
	{path: "github.com/deepemd/deepemd/solver", imports: []string{"github.com/deepemd/deepemd/solver", "gonum.org/v1/gonum", "pgregory.net/rapid"},
		forbids: []string{"os", "net", "syscall/js"}},
	{path: "github.com/deepemd/deepemd/core/kernel/gemmasm", imports: []string{"github.com/mmcloughlin/avo"}},
	{path: "github.com/deepemd/deepemd/core", imports: []string{"github.com/deepemd/deepemd/core", "github.com/deepemd/deepemd/solver", "gonum.org/v1/gonum", "golang.org/x/image", "golang.org/x/sys/cpu", "github.com/hajimehoshi/go-mp3"},
		forbids: []string{"os", "net", "net/http", "regexp", "syscall/js"}},
	{path: "github.com/deepemd/deepemd/trainer", imports: []string{"github.com/deepemd/deepemd/trainer", "github.com/deepemd/deepemd/core", "github.com/deepemd/deepemd/solver", "gorgonia.org/tensor", "gonum.org/v1",
		"github.com/nlpodyssey/gopickle", "github.com/sbinet/npyio", "github.com/BurntSushi/toml", "golang.org/x/sys", "golang.org/x/sync", "golang.org/x/image",
		"google.golang.org/protobuf/encoding/protowire"},
		forbids: []string{"net/http", "syscall/js"}},
	{path: "github.com/deepemd/deepemd/wasm", imports: []string{"github.com/deepemd/deepemd/wasm", "github.com/deepemd/deepemd/core", "github.com/deepemd/deepemd/solver"}, forbids: []string{"net/http"}},
	{path: "github.com/deepemd/deepemd/web", imports: []string{"github.com/deepemd/deepemd/web", "github.com/deepemd/deepemd/core", "github.com/maxence-charriere/go-app/v9", "github.com/chromedp", "github.com/andybalholm/brotli"}},
	{path: "github.com/deepemd/deepemd/internal", imports: []string{"github.com/deepemd/deepemd/internal", "github.com/deepemd/deepemd/core", "github.com/deepemd/deepemd/solver", "github.com/chromedp"}},
	{path: "github.com/deepemd/deepemd/tools", imports: []string{""}},
}

// dependency is one import of one package.
type dependency struct{ from, to string }

// violations lists the dependencies that no rule allows, with the rule.
func violations(deps []dependency) []string {
	var found []string
	for _, d := range deps {
		r, ok := roomOf(d.from)
		switch {
		case !ok:
			found = append(found, d.from+" lies in no room: add it to the rules or move it")
		case forbidden(r, d.to):
			found = append(found, d.from+" imports "+d.to+", which "+r.path+" must do without")
		case isStandard(d.to) || anyPrefix(r.imports, d.to):
		default:
			found = append(found, d.from+" imports "+d.to+", which "+r.path+" may not")
		}
	}
	return found
}

func roomOf(path string) (room, bool) {
	for _, r := range rooms {
		if within(path, r.path) {
			return r, true
		}
	}
	return room{}, false
}

// within reports whether a package is prefix or below it.
func within(path, prefix string) bool {
	return prefix == "" || path == prefix || strings.HasPrefix(path, prefix+"/")
}

func anyPrefix(prefixes []string, path string) bool {
	for _, p := range prefixes {
		if within(path, p) {
			return true
		}
	}
	return false
}

func forbidden(r room, path string) bool {
	for _, p := range r.forbids {
		if path == p {
			return true
		}
	}
	return false
}

// isStandard reports whether an import path is the standard library's: its
// first element has no dot and is not this module.
func isStandard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".")
}
