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

// replaced are the files of go-app's package app that are left out, with those
// of the folder slim that stand in for them, "" for nothing: its server (net/http, TLS,
// templates) and its encryption, which the page has no use for but which a
// linker cannot tell.
var replaced = map[string]string{
	"http.go":     "server.go.txt",
	"static.go":   "",
	"resource.go": "",
	"crypto.go":   "crypto.go.txt",
}

// rerouted are imports of its files that lead to smaller packages of ours.
var rerouted = []struct{ path, substitute string }{
	{"regexp", "regexp.go.txt"},
	{"github.com/google/uuid", "uuid.go.txt"},
}

// added are files of the folder slim in the package.
var added = map[string]string{"same.go": "same.go.txt"}

// shortened are texts of its files that call large functions each time a component is drawn. A browser
// takes long to compile those; in the usual cases small functions give the same.
var shortened = []struct{ file, from, to string }{
	{"strings.go", "\treturn fmt.Sprintf(format, v...)\n", `	if format == "%v" && len(v) == 1 {
		switch v[0].(type) {
		case string, int, bool:
			return toString(v[0])
		}
	}
	return fmt.Sprintf(format, v...)
`},
	{"component.go", "if !reflect.DeepEqual(a.Interface(), b.Interface()) {", "if !same(a, b) {"},
	// Of what the next list leaves out.
	{"html.go", "\t\"reflect\"\n", ""},
	{"html.go", "for i, c := range e.children {", "for _, c := range e.children {"},
}

// untagged are files in which errors go without what they add to their text. It is most of
// the code of what draws, which runs whenever something changes, and says what only
// who develops components of go-app asks.
var untagged = []string{"html.go", "component.go"}

// tag is such an addition.
var tag = regexp.MustCompile(`\.\n\t+WithTag\(.*\)`)

// slimFolder is where the copy of go-app lies in the module. Programs name the folder
// that a module was replaced by: it is the same one wherever the module lies.
const slimFolder = "build/go-app"

// slimGoApp makes a copy of go-app that holds only what runs in a page, a third
// of the studio less to load, and returns the go.mod with which programs are
// built on it. The root is the folder of this module.
//
// # Errors
//
// It returns an error if go-app is no longer as expected: the lists above are
// for the version in go.mod.
func slimGoApp(root string) (modfile string, err error) {
	dir := filepath.Join(root, filepath.FromSlash(slimFolder))
	source, err := goOutput(root, "list", "-m", "-f", "{{.Dir}}", goApp)
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
	files := map[string]origin{"go.mod": {published, "go.mod"}, "LICENSE": {published, "LICENSE"}, "studio.sum": {os.DirFS(root), "go.sum"}}
	for name, substitute := range added {
		files["pkg/app/"+name] = origin{substitutes, "slim/" + substitute}
	}
	for _, r := range rerouted {
		files["pkg/app/"+stands(r.path)+"/slim.go"] = origin{substitutes, "slim/" + r.substitute}
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
	left := len(replaced) + len(shortened) + len(untagged)
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
			for _, s := range shortened {
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
					text = bytes.Replace(text, quoted, []byte("\t\""+goApp+"/pkg/app/"+stands(r.path)+"\"\n"), 1)
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

// stands is where a substitute lies, from package app.
func stands(path string) string {
	return "slim/" + path[strings.LastIndexByte(path, '/')+1:]
}
