package main

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// programs are where those for browsers lie in the site.
var programs = map[string]string{
	"deepemd.wasm":         "deepemd/deepemd.wasm",
	"deepemd-sound.wasm":   "deepemd/deepemd-sound.wasm",
	"deepemd-gallery.wasm": "deepemd/deepemd-gallery.wasm",
	"deepemd-solver.wasm":  "deepemd/deepemd-solver.wasm",
	"app.wasm":             "web/app.wasm",
}

// site builds the site, compressed as far as it goes, and packs it.
func (r *release) site() error {
	folder := filepath.Join(r.work, "site")
	compress := "-release"
	if r.draft {
		compress = "-compress"
	}
	if err := r.run(nil, "run", "./tools/build", compress, "-out", folder); err != nil {
		return err
	}
	for name, file := range programs {
		data, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(file)))
		if err != nil {
			return err
		}
		r.hashes[name] = fmt.Sprintf("%x", sha256.Sum256(data))
	}
	below := title + "-site"
	entries, err := tree(folder, below)
	if err != nil {
		return err
	}
	if err := pack(filepath.Join(r.out, below+".tar.gz"), entries); err != nil {
		return err
	}
	about := "with the reference"
	if !r.reference() {
		about = "without the reference of the JavaScript package, which needs npm"
	}
	r.add(below+".tar.gz", "the site, %s: deepemd serve --dir %s", about, below)
	return nil
}

// reference reports whether the site that was built has the reference, with scripts of
// the tool that makes it.
func (r *release) reference() bool {
	_, err := os.Stat(filepath.Join(r.work, "site", "docs", "reference", "assets"))
	return err == nil
}

// packages builds the packages for npm, and packs each as npm does.
func (r *release) packages() error {
	folder := filepath.Join(r.work, "npm")
	if err := r.run(nil, "run", "./tools/build", "-npm", "-out", folder); err != nil {
		return err
	}
	all, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	for _, entry := range all {
		if !entry.IsDir() {
			return fmt.Errorf("%s/%s is no package", folder, entry.Name())
		}
		name, err := tarball(filepath.Join(folder, entry.Name()), r.out)
		if err != nil {
			return err
		}
		r.add(name, "a package for npm: npm publish %s", name)
	}
	return nil
}

// tarball packs the folder of a package for npm, named and laid out as npm does, and
// returns its name.
func tarball(folder, to string) (string, error) {
	text, err := os.ReadFile(filepath.Join(folder, "package.json"))
	if err != nil {
		return "", err
	}
	var m struct{ Name, Version string }
	if err := json.Unmarshal(text, &m); err != nil {
		return "", fmt.Errorf("%s/package.json: %w", folder, err)
	}
	if m.Name == "" || m.Version == "" {
		return "", fmt.Errorf("%s/package.json has no name or no version", folder)
	}
	entries, err := tree(folder, "package")
	if err != nil {
		return "", err
	}
	name := strings.ReplaceAll(strings.TrimPrefix(m.Name, "@"), "/", "-") + "-" + m.Version + ".tgz"
	return name, pack(filepath.Join(to, name), entries)
}
