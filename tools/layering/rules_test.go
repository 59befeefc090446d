// Package layering has the import rules for packages and their tests: dependencies point one way,
// from the tools through web, wasm and trainer to the core and the solver. Its tests check these
// rules, package comments, JavaScript imports, and the dependencies of the WebAssembly programs.
package layering

import "strings"

// Module is the import path of this project.
const Module = "github.com/deepemd/deepemd"

// room is a folder of the module with its rules.
type room struct {
	path string // path in the module

	// imports are the allowed imports, as prefixes. The prefix "./" is this module. The standard
	// library is allowed, except forbids.
	imports []string
	forbids []string

	// closed are packages of this module that are forbidden although imports allows them, as
	// prefixes.
	closed []string

	// apart forbids imports between the folders of the room.
	apart bool

	// tests are further imports of test files. Tests may also import forbidden packages, since they
	// read files and start servers.
	tests []string
}

// without are the packages that inference does not import on any platform.
var without = []string{"os", "net", "net/http", "regexp", "syscall/js"}

// rooms are the rules. The first room that contains a package applies.
var rooms = []room{
	{
		path:    "solver",
		imports: []string{"./solver", "gonum.org/v1/gonum"},
		forbids: []string{"os", "net", "net/http", "syscall/js"},
		tests:   []string{"./internal", "pgregory.net/rapid"},
	},
	{
		path:    "internal/kernel/gemmasm", // generates assembly
		imports: []string{"github.com/mmcloughlin/avo"},
	},
	{
		path: "internal/kernel/neonasm", // generates assembly, without imports
	},
	{
		path:    "internal/tensor", // shared by core and the trainer
		forbids: without,
		tests:   []string{"./internal"},
	},
	{
		path:    "internal/kernel",
		imports: []string{"golang.org/x/sys/cpu"},
		forbids: without,
		tests:   []string{"./internal"},
	},
	{
		path:    "internal/nn",
		imports: []string{"./internal/kernel", "./internal/tensor", "./core/weights"},
		forbids: without,
		tests:   []string{"./internal"},
	},
	{
		path:    "internal/backbone",
		imports: []string{"./internal/kernel", "./internal/nn", "./internal/tensor", "./core/embed", "./core/weights"},
		forbids: without,
		tests:   []string{"./internal"},
	},
	{
		path:    "internal/foreign",
		imports: []string{"./internal/folders", "./core/project"},
		forbids: without,
		tests:   []string{"./internal"},
	},
	{
		path: "core",
		imports: []string{"./core", "./solver", "./internal/backbone", "./internal/filekind", "./internal/kernel", "./internal/nn", "./internal/tensor",
			"gonum.org/v1/gonum", "golang.org/x/image", "github.com/hajimehoshi/go-mp3"},
		forbids: without,
		tests:   []string{"./internal", "pgregory.net/rapid", "github.com/sbinet/npyio"},
	},
	{
		path:    "internal/arrays", // NumPy files
		imports: []string{"./internal/atomicfile", "./internal/filekind", "./internal/namedfile", "./internal/tensor", "./core", "gorgonia.org/tensor", "github.com/sbinet/npyio"},
		tests:   []string{"./internal", "pgregory.net/rapid"},
	},
	{
		path:    "internal/netfile", // models of all formats
		imports: []string{"./internal", "./core", "gorgonia.org/tensor", "github.com/nlpodyssey/gopickle"},
		tests:   []string{"pgregory.net/rapid", "github.com/sbinet/npyio"},
	},
	{
		path:    "internal/onnx",
		imports: []string{"./internal/backbone", "./internal/filekind", "./internal/nn", "./internal/tensor", "./core", "google.golang.org/protobuf/encoding/protowire"},
		tests:   []string{"./internal", "pgregory.net/rapid"},
	},
	{
		path:    "trainer/evaluate", // measures any networks
		imports: trainer,
		closed:  []string{"./trainer/training", "./trainer/internal"},
		forbids: []string{"net/http", "syscall/js"},
		tests:   []string{"./internal", "pgregory.net/rapid", "github.com/sbinet/npyio"},
	},
	{
		path:    "trainer",
		imports: trainer,
		forbids: []string{"net/http", "syscall/js"},
		tests:   []string{"./internal", "pgregory.net/rapid"},
	},
	{
		path:    "wasm",
		imports: []string{"./wasm", "./core", "./solver", "./internal/jsvalue"},
		forbids: []string{"net/http"},
		tests:   []string{"./internal", "github.com/chromedp", "github.com/evanw/esbuild"},
	},
	{
		path:    "web/internal/studiotest", // shared by the tests of the studio
		imports: []string{"./internal", "./core", "github.com/chromedp", "golang.org/x/image"},
	},
	{
		path:  "web/internal/tests", // the studio and the examples in browsers
		tests: []string{"./web", "./core", "./internal", "github.com/chromedp", "golang.org/x/image"},
	},
	{
		path:    "web/internal/feature", // separate folders
		imports: feature,
		apart:   true,
		tests:   []string{"./web/internal/kerneltest", "./core", "./internal"},
	},
	{
		path:    "web/internal/kernel", // without views and features
		imports: []string{"./web/internal/texts", "./core/answer", "./core/method", "./core/network", "./core/project", "./internal/foreign"},
		tests:   []string{"./internal", "./core", "./web/internal"},
	},
	{
		path: "web/internal", // the studio, which computes nothing that the engine computes
		imports: []string{"./web/internal", "./internal/jsvalue", "./internal/languages",
			"./core/answer", "./internal/foreign", "./core/method", "./core/network", "./core/project", "github.com/maxence-charriere/go-app/v9"},
		tests: []string{"./internal", "./core", "github.com/chromedp", "golang.org/x/image"},
	},
	{
		path:    "web",
		imports: []string{"./web", "./core", "./internal/languages", "github.com/maxence-charriere/go-app/v9", "golang.org/x/net", "github.com/yuin/goldmark"},
		tests:   []string{"./internal", "./wasm"},
	},
	{
		path: "internal/jsvalue", // conversion of structs to JavaScript
	},
	{
		path:    "internal/languages", // texts of the studio and the tools
		imports: []string{"golang.org/x/text"},
		tests:   []string{"./internal"},
	},
	{
		path:    "internal/server", // serves a built site
		imports: []string{"golang.org/x/net", "golang.org/x/text"},
		tests:   []string{"./internal"},
	},
	{
		path:    "internal/publish", // shared pages and static sites
		imports: []string{"./internal/atomicfile", "./internal/languages", "./internal/server", "./core", "golang.org/x/net/idna"},
		tests:   []string{"./internal"},
	},
	{
		path:  "internal/wasmopt", // optimizes WebAssembly
		tests: []string{"./internal"},
	},
	{
		path:    "internal/browsertest", // browsers for tests
		imports: []string{"./internal", "github.com/chromedp", "golang.org/x/net"},
	},
	{
		path:    "internal", // shared by tests
		imports: []string{"./internal", "./core", "./solver", "github.com/chromedp", "github.com/gofrs/flock", "gonum.org/v1/gonum"},
		tests:   []string{"golang.org/x/image"}, // an independent decoder
	},
	{
		path:    "tools",
		imports: []string{""}, // everything
	},
}

// trainer are the imports of the packages of the trainer.
var trainer = []string{"./trainer", "./core", "./solver", "./internal/arrays", "./internal/atomicfile", "./internal/augment", "./internal/backbone", "./internal/filekind", "./internal/folders", "golang.org/x/text/unicode/norm",
	"./internal/chart", "./internal/cluster", "./internal/emdlayer", "./internal/foreign", "./internal/kernel", "./internal/namedfile", "./internal/netfile", "./internal/nn", "./internal/tensor",
	"gorgonia.org/tensor", "gonum.org/v1", "github.com/BurntSushi/toml", "golang.org/x/sys", "golang.org/x/sync", "golang.org/x/image"}

// feature are the imports of the studio's features.
var feature = []string{"./web/internal/feature", "./web/internal/kernel", "./web/internal/ui", "./web/internal/view", "./web/internal/browser", "./web/internal/texts",
	"./web/internal/lessons", "./core/answer", "./core/method", "./core/network", "./core/project", "github.com/maxence-charriere/go-app/v9"}

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
		r, ok := roomOf(d.from)
		switch {
		case !ok:
			found = append(found, d.from+" lies in no room: add it to the rules or move it")
		case !d.test && (forbidden(r, d.to) || closed(r, d.to)), r.apart && neighbors(r, d):
			found = append(found, from+" imports "+d.to+", which "+r.path+" must do without")
		case isStandard(d.to) || allowed(r.imports, d.to) || d.test && allowed(r.tests, d.to):
		default:
			found = append(found, from+" imports "+d.to+", which "+r.path+" may not")
		}
	}
	return found
}

func roomOf(path string) (room, bool) {
	for _, r := range rooms {
		if within(path, Module+"/"+r.path) {
			return r, true
		}
	}
	return room{}, false
}

// within reports whether path is prefix or a folder below it.
func within(path, prefix string) bool {
	return prefix == "" || path == prefix || strings.HasPrefix(path, prefix+"/")
}

func allowed(prefixes []string, path string) bool {
	for _, p := range prefixes {
		if own, ok := strings.CutPrefix(p, "./"); ok {
			p = Module + "/" + own
		}
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

// neighbors reports whether one folder of a room imports another.
func neighbors(r room, d dependency) bool {
	from, inside := strings.CutPrefix(d.from, Module+"/"+r.path+"/")
	to, there := strings.CutPrefix(d.to, Module+"/"+r.path+"/")
	first := func(path string) string { name, _, _ := strings.Cut(path, "/"); return name }
	return inside && there && first(from) != first(to)
}

// closed reports whether a package of this module is closed to a room. A room may import its own
// packages.
func closed(r room, path string) bool {
	return allowed(r.closed, path) && !within(path, Module+"/"+r.path)
}

// isStandard reports whether an import path is in the standard library: its first element has no dot.
func isStandard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".")
}
