// Package layering holds the rules of who may import whom, for packages and for
// their tests: dependencies point one way, from the tools through web, wasm and
// trainer to the core and the solver. Its own tests hold the project to them, and
// to what else every room owes: a package comment, JavaScript at the edge only,
// and WebAssembly binaries that link no more than they need.
package layering

import "strings"

// Module is the import path of this project.
const Module = "github.com/deepemd/deepemd"

// A room is a top-level folder of the module.
type room struct {
	path string // below Module

	// imports are the packages that its own may import, as prefixes: those that
	// begin with "./" lie in this module, all others in others. The standard
	// library is open to all but where forbids closes a package of it.
	imports []string
	forbids []string

	// closed are packages of this module that it may not import though imports allows
	// them, as prefixes.
	closed []string

	// apart says that the packages in its folders import none of each other's.
	apart bool

	// tests are what its test files may import besides. What is forbidden to
	// packages is open to their tests, which read files and start servers.
	tests []string
}

// without is what inference does without on every platform.
var without = []string{"os", "net", "net/http", "regexp", "syscall/js"}

// rooms are ordered so that the first one that holds a package is the most
// particular.
var rooms = []room{
	{
		path:    "solver",
		imports: []string{"./solver", "gonum.org/v1/gonum"},
		forbids: []string{"os", "net", "net/http", "syscall/js"},
		tests:   []string{"./internal", "pgregory.net/rapid"},
	},
	{
		path:    "internal/kernel/gemmasm", // a program that writes assembly
		imports: []string{"github.com/mmcloughlin/avo"},
	},
	{
		path: "internal/kernel/neonasm", // so does this, by itself
	},
	{
		path:    "internal/tensor", // parts of core that the trainer shares
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
		path:    "internal/arrays", // NumPy's files
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
		path:    "trainer/evaluate", // measures networks, whoever trained them
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
		path:    "web/internal/studiotest", // what the tests of the studio share
		imports: []string{"./internal", "./core", "github.com/chromedp", "golang.org/x/image"},
	},
	{
		path:  "web/internal/tests", // the studio and the examples in browsers
		tests: []string{"./web", "./core", "./internal", "github.com/chromedp", "golang.org/x/image"},
	},
	{
		path:    "web/internal/feature", // each is a folder of its own
		imports: feature,
		apart:   true,
		tests:   []string{"./web/internal/kerneltest", "./core", "./internal"},
	},
	{
		path:    "web/internal/kernel", // which knows nothing of what is drawn, nor of features
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
		path: "internal/jsvalue", // structs in JavaScript
	},
	{
		path:    "internal/languages", // every word, for the studio and the tools
		imports: []string{"golang.org/x/text"},
		tests:   []string{"./internal"},
	},
	{
		path:    "internal/server", // gives a built site to browsers
		imports: []string{"golang.org/x/net", "golang.org/x/text"},
		tests:   []string{"./internal"},
	},
	{
		path:    "internal/publish", // shared pages, and a site for any file server
		imports: []string{"./internal/atomicfile", "./internal/languages", "./internal/server", "./core", "golang.org/x/net/idna"},
		tests:   []string{"./internal"},
	},
	{
		path:  "internal/wasmopt", // smaller and faster WebAssembly programs
		tests: []string{"./internal"},
	},
	{
		path:    "internal/browsertest", // opens pages in browsers
		imports: []string{"./internal", "github.com/chromedp", "golang.org/x/net"},
	},
	{
		path:    "internal", // what tests of several rooms share
		imports: []string{"./internal", "./core", "./solver", "github.com/chromedp", "github.com/gofrs/flock", "gonum.org/v1/gonum"},
		tests:   []string{"golang.org/x/image"}, // another decoder than the core's
	},
	{
		path:    "tools",
		imports: []string{""}, // everything
	},
}

// trainer are the imports of every package of the room trainer.
var trainer = []string{"./trainer", "./core", "./solver", "./internal/arrays", "./internal/atomicfile", "./internal/augment", "./internal/backbone", "./internal/filekind", "./internal/folders", "golang.org/x/text/unicode/norm",
	"./internal/chart", "./internal/cluster", "./internal/emdlayer", "./internal/foreign", "./internal/kernel", "./internal/namedfile", "./internal/netfile", "./internal/nn", "./internal/tensor",
	"gorgonia.org/tensor", "gonum.org/v1", "github.com/BurntSushi/toml", "golang.org/x/sys", "golang.org/x/sync", "golang.org/x/image"}

// feature are the imports of every feature of the studio.
var feature = []string{"./web/internal/feature", "./web/internal/kernel", "./web/internal/ui", "./web/internal/view", "./web/internal/browser", "./web/internal/texts",
	"./web/internal/lessons", "./core/answer", "./core/method", "./core/network", "./core/project", "github.com/maxence-charriere/go-app/v9"}

// A dependency is one import of one package, or of its tests.
type dependency struct {
	from, to string
	test     bool
}

// violations lists the dependencies that no rule allows, with the rule.
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

// within reports whether a package is prefix or lies below it.
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

// closed reports whether a room is closed to a package of this module. A room may import
// its own packages.
func closed(r room, path string) bool {
	return allowed(r.closed, path) && !within(path, Module+"/"+r.path)
}

// isStandard reports whether an import path is the standard library's: its
// first element has no dot.
func isStandard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".")
}
