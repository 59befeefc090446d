package main

import (
	"bytes"
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/deepemd/deepemd/internal/atomicfile"
)

// goApp is the framework of the studio.
const goApp = "github.com/maxence-charriere/go-app/v9"

//go:embed slim/*.go.txt
var substitutes embed.FS

// replaced maps files of go-app's package app to their replacements in the folder slim ("": no
// replacement): its server (net/http, TLS, templates) and its encryption. The page does not use them,
// but the linker cannot detect that.
var replaced = map[string]string{
	"http.go":     "server.go.txt",
	"static.go":   "",
	"resource.go": "",
	"crypto.go":   "crypto.go.txt",
}

// rerouted maps imports of go-app to smaller packages of ours.
var rerouted = []struct{ path, substitute string }{
	{"regexp", "regexp.go.txt"},
	{"github.com/google/uuid", "uuid.go.txt"},
}

// edited replaces code of go-app. The first replacements avoid large functions at each drawing of a
// component, which browsers take long to compile: small functions give the same result in common cases.
var edited = []struct{ file, from, to string }{
	{"strings.go", "\treturn fmt.Sprintf(format, v...)\n", `	if format == "%v" && len(v) == 1 {
		switch v[0].(type) {
		case string, int, bool:
			return toString(v[0])
		}
	}
	return fmt.Sprintf(format, v...)
`},
	{"component.go", "if !reflect.DeepEqual(a.Interface(), b.Interface()) {", "if !same(a, b) {"},
	// A page with thousands of components; see slim/queue.go.txt.
	{"engine.go", "\te.dispatches <- d\n", "\te.enqueue(d)\n"},
	{"engine.go", "\tdispatches           chan Dispatch\n", "\tdispatches           chan Dispatch\n\toverflow             overflow\n"},
	// These would draw each component a second time.
	{"component.go", "\t\tc.dispatch(mounter.OnMount)\n", "\t\tc.run(mounter.OnMount)\n"},
	{"component.go", "\t\tc.dispatch(updater.OnUpdate)\n", "\t\tc.run(updater.OnUpdate)\n"},
	{"component.go", "\tc.dispatch(nil)\n\treturn nil\n", "\treturn nil\n"},
	// Unused after the changes below.
	{"html.go", "\t\"reflect\"\n", ""},
	{"html.go", "for i, c := range e.children {", "for _, c := range e.children {"},
}

// untagged are files whose errors lose their tags. These are most of the code of the drawing
// functions, and matter only to developers of go-app components.
var untagged = []string{"html.go", "component.go"}

// tag matches a call that adds a tag.
var tag = regexp.MustCompile(`\.\n\t+WithTag\(.*\)`)

// slimFolder is the folder of the copy of go-app in the module. Programs contain the path of a
// replaced module, which is therefore relative.
const slimFolder = "build/go-app"

// slimGoApp copies the parts of go-app that run in a page, which reduces the studio by a third, and
// returns the go.mod that replaces go-app by the copy. The root is the folder of this module.
//
// # Errors
//
// It returns an error if go-app differs from the version that the lists above are for.
func slimGoApp(root string) (modfile string, err error) {
	dir := filepath.Join(root, filepath.FromSlash(slimFolder))
	source, err := output(root, nil, "go", "list", "-m", "-f", "{{.Dir}}", goApp)
	if err != nil {
		return "", err
	}
	for _, pkg := range []string{"pkg/app", "pkg/errors"} {
		if err := copyPackage(filepath.Join(source, filepath.FromSlash(pkg)), filepath.Join(dir, filepath.FromSlash(pkg)), pkg == "pkg/app"); err != nil {
			return "", err
		}
	}
	type origin struct {
		files fs.FS
		name  string
	}
	published := os.DirFS(source)
	files := map[string]origin{
		"go.mod": {published, "go.mod"}, "LICENSE": {published, "LICENSE"}, "studio.sum": {os.DirFS(root), "go.sum"},
		"pkg/app/same.go":  {substitutes, "slim/same.go.txt"},
		"pkg/app/queue.go": {substitutes, "slim/queue.go.txt"},
	}
	for _, r := range rerouted {
		files["pkg/app/"+replacement(r.path)+"/slim.go"] = origin{substitutes, "slim/" + r.substitute}
	}
	for to, from := range files {
		text, err := fs.ReadFile(from.files, from.name)
		if err == nil {
			err = atomicfile.Replace(filepath.Join(dir, filepath.FromSlash(to)), text)
		}
		if err != nil {
			return "", err
		}
	}
	own, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return "", err
	}
	own = fmt.Appendf(own, "\nreplace %s => ./%s\n", goApp, slimFolder)
	modfile = filepath.Join(dir, "studio.mod")
	return modfile, atomicfile.Replace(modfile, own)
}

// copyPackage copies the Go files of a package, without tests.
func copyPackage(from, to string, app bool) error {
	entries, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	left := len(replaced) + len(edited) + len(untagged)
	reroutes := map[string]bool{}
	for _, entry := range entries {
		name := entry.Name()
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(from, name))
		if err != nil {
			return err
		}
		if app {
			if stand, out := replaced[name]; out {
				left--
				if stand == "" {
					continue
				}
				if text, err = substitutes.ReadFile("slim/" + stand); err != nil {
					return err
				}
			}
			for _, s := range edited {
				if name == s.file && bytes.Count(text, []byte(s.from)) == 1 {
					text = bytes.Replace(text, []byte(s.from), []byte(s.to), 1)
					left--
				}
			}
			if slices.Contains(untagged, name) && tag.Match(text) {
				text = tag.ReplaceAll(text, nil)
				left--
			}
			for _, r := range rerouted {
				quoted := []byte("\t\"" + r.path + "\"\n")
				if bytes.Contains(text, quoted) {
					reroutes[r.path] = true
					text = bytes.Replace(text, quoted, []byte("\t\""+goApp+"/pkg/app/"+replacement(r.path)+"\"\n"), 1)
				}
			}
		}
		if err := atomicfile.Replace(filepath.Join(to, name), text); err != nil {
			return err
		}
	}
	if app && (left != 0 || len(reroutes) != len(rerouted)) {
		return fmt.Errorf("%s in %s is not the version that tools/build knows: look at what its files import and say, and bring the lists there up to date", goApp, from)
	}
	return nil
}

// replacement returns the folder of a replaced import, relative to package app.
func replacement(path string) string { return "slim/" + path[strings.LastIndexByte(path, '/')+1:] }
