package main

import (
	"bytes"
	"embed"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// goApp is the framework of the studio.
const goApp = "github.com/maxence-charriere/go-app/v9"

//go:embed slim
var substitutes embed.FS

// replaced are the files of go-app's package app that are left out, with those
// of slim that stand in for them, "" for nothing: its server (net/http, TLS,
// templates) and its encryption, which the page has no use for but which a
// linker cannot tell.
var replaced = map[string]string{
	"http.go":     "slim/server.go.txt",
	"static.go":   "",
	"resource.go": "",
	"crypto.go":   "slim/crypto.go.txt",
}

// rerouted are imports of its files that lead to smaller packages of ours.
var rerouted = []struct{ path, substitute string }{
	{"regexp", "slim/regexp.go.txt"},
	{"github.com/google/uuid", "slim/uuid.go.txt"},
}

// slimFolder is where the copy of go-app lies in the module. Programs name the folder
// that a module was replaced by: it is the same one wherever the module lies.
const slimFolder = "build/go-app"

// slimGoApp makes a copy of go-app that holds only what runs in a page, a third
// of the studio less to load, and returns the go.mod with which programs are
// built on it.
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
		if err := copySlim(filepath.Join(source, filepath.FromSlash(pkg)), filepath.Join(dir, filepath.FromSlash(pkg)), pkg == "pkg/app"); err != nil {
			return "", err
		}
	}
	for _, r := range rerouted {
		text, err := substitutes.ReadFile(r.substitute)
		if err != nil {
			return "", err
		}
		if err := replace(filepath.Join(dir, "pkg", "app", slimPackage(r.path), "slim.go"), text); err != nil {
			return "", err
		}
	}
	mod, err := os.ReadFile(filepath.Join(source, "go.mod"))
	if err != nil {
		return "", err
	}
	if err := replace(filepath.Join(dir, "go.mod"), mod); err != nil {
		return "", err
	}
	own, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return "", err
	}
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		return "", err
	}
	own = fmt.Appendf(own, "\nreplace %s => ./%s\n", goApp, slimFolder)
	modfile = filepath.Join(dir, "studio.mod")
	if err := replace(modfile, own); err != nil {
		return "", err
	}
	return modfile, replace(filepath.Join(dir, "studio.sum"), sums)
}

// copySlim copies the Go files of a package, without tests.
func copySlim(from, to string, app bool) error {
	entries, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	left := len(replaced)
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
			if substitute, out := replaced[name]; out {
				left--
				if substitute == "" {
					continue
				}
				if text, err = substitutes.ReadFile(substitute); err != nil {
					return err
				}
			}
			for _, r := range rerouted {
				quoted := []byte("\t\"" + r.path + "\"\n")
				if bytes.Contains(text, quoted) {
					reroutes[r.path] = true
					text = bytes.Replace(text, quoted, []byte("\t\""+goApp+"/pkg/app/"+slimPackage(r.path)+"\"\n"), 1)
				}
			}
		}
		if err := replace(filepath.Join(to, name), text); err != nil {
			return err
		}
	}
	if app && (left != 0 || len(reroutes) != len(rerouted)) {
		return fmt.Errorf("%s in %s is not the version that slim.go knows: look at what its files import, and bring the lists there up to date", goApp, from)
	}
	return nil
}

// slimPackage is where a substitute lies, from package app.
func slimPackage(path string) string {
	return "slim/" + path[strings.LastIndexByte(path, '/')+1:]
}
