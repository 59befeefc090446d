package main

import (
	"bytes"
	_ "embed" // the page without a reference
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/deepemd/deepemd/internal/atomicfile"
	"github.com/deepemd/deepemd/internal/publish"
	"github.com/deepemd/deepemd/web/site"
)

// folder is the output of a build: the site, or the packages.
type folder struct {
	root string // of the module
	out  string // path of the folder

	lines bool // keep line numbers in programs

	written map[string]bool // names of the written files
}

func (s *folder) write(name string, data []byte) error {
	if s.written == nil {
		s.written = map[string]bool{}
	}
	s.written[name] = true
	return atomicfile.Replace(filepath.Join(s.out, filepath.FromSlash(name)), data)
}

// writeAll writes files, by name, into a folder of the folder.
func (s *folder) writeAll(to string, files map[string][]byte) (err error) {
	for name, data := range files {
		err = errors.Join(err, s.write(path.Join(to, name), data))
	}
	return err
}

func (s *folder) site() error {
	manifest, err := s.manifest()
	if err != nil {
		return err
	}
	if err := s.kit(true, map[string][]byte{"package.json": manifest}); err != nil {
		return err
	}
	modfile, err := slimGoApp(s.root)
	if err != nil {
		return err
	}
	if err := s.goBuild(studioProgram(modfile), "web/app.wasm"); err != nil {
		return err
	}
	source := os.DirFS(s.root)
	for to, made := range map[string]func() (map[string][]byte, error){
		"web":       func() (map[string][]byte, error) { return s.joined(studioScripts, nil) },
		"web/texts": site.Texts,
		"docs":      func() (map[string][]byte, error) { return site.Documents(source) },
		"lessons":   func() (map[string][]byte, error) { return site.Notes(source) },
		"":          s.single,
	} {
		files, err := made()
		if err := errors.Join(err, s.writeAll(to, files)); err != nil {
			return err
		}
	}
	if err := errors.Join(s.examples(), s.copyTree("web/static", "."), s.copyTree(reference, "docs/reference")); err != nil {
		return err
	}
	if err := s.prune(); err != nil {
		return err
	}
	worker, err := publish.Worker(os.DirFS(s.out)) // the last file, because it lists the others
	if err != nil {
		return err
	}
	return s.write(publish.WorkerScript, worker)
}

// single returns the files of the site that are made one by one.
func (s *folder) single() (map[string][]byte, error) {
	files := map[string][]byte{}
	for name, made := range map[string]func() ([]byte, error){
		"NOTICE.txt":     func() ([]byte, error) { return s.notice(ofSite) },
		"LICENSE.txt":    func() ([]byte, error) { return os.ReadFile(filepath.Join(s.root, "LICENSE")) },
		"web/studio.css": site.Styles,
		"index.html":     site.Shell,
		// The page for shared projects, which internal/publish/page.go and web/static/web/share.js complete.
		"share/player.html": func() ([]byte, error) { return s.inline(filepath.Join(s.root, "internal", "publish", "page.html")) },
	} {
		var err error
		if files[name], err = made(); err != nil {
			return nil, err
		}
	}
	for _, n := range slices.Concat(networks, further) {
		files["weights/"+n.name+".safetensors"] = n.file
	}
	if _, err := os.Stat(filepath.Join(s.root, filepath.FromSlash(reference))); err != nil {
		modules, err := fs.Glob(os.DirFS(s.root), "wasm/npm/*.d.ts")
		if err != nil {
			return nil, err
		}
		maps.Copy(files, withoutReference(modules))
	}
	return files, nil
}

// reference is the folder in which make docs writes the reference of the JavaScript package.
const reference = "build/docs/reference"

// noReference replaces a reference that was not built.
//
//go:embed noreference.html
var noReference []byte

// withoutReference returns the index of the reference, and the pages of the modules with the given
// types, to which documents link.
func withoutReference(types []string) map[string][]byte {
	pages := map[string][]byte{"docs/reference/index.html": noReference}
	for _, file := range types {
		module := strings.TrimSuffix(path.Base(file), ".d.ts")
		pages["docs/reference/modules/"+module+".html"] = bytes.ReplaceAll(noReference, []byte(`"../`), []byte(`"../../`))
	}
	return pages
}

// examples copies the example pages and their shared files, without the examples that are npm
// projects.
func (s *folder) examples() error {
	const from = "web/examples"
	entries, err := os.ReadDir(filepath.Join(s.root, filepath.FromSlash(from)))
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if slices.Contains([]string{"node", "react"}, entry.Name()) {
			continue
		}
		if err := s.copyTree(from+"/"+entry.Name(), "examples/"+entry.Name()); err != nil {
			return err
		}
	}
	return nil
}

// copyTree copies the files of a folder of the module that the build has not written yet. An absent
// folder is empty.
func (s *folder) copyTree(from, to string) error {
	base := filepath.Join(s.root, filepath.FromSlash(from))
	return filepath.WalkDir(base, func(path string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) && path == base {
			return nil
		}
		if err != nil {
			return err
		}
		hidden := strings.HasPrefix(entry.Name(), ".") || strings.HasSuffix(entry.Name(), ".go") || entry.Name() == "testdata"
		switch {
		case hidden && entry.IsDir():
			return fs.SkipDir
		case hidden, entry.IsDir():
			return nil
		}
		rel, err := filepath.Rel(base, path)
		if err != nil {
			return err
		}
		name := filepath.ToSlash(filepath.Join(to, rel))
		if s.written[name] {
			return nil
		}
		return s.copyFile(path, name)
	})
}

func (s *folder) copyFile(from, name string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return s.write(path.Clean(name), data)
}

func hasEnding(name string, endings []string) bool {
	return slices.ContainsFunc(endings, func(e string) bool { return strings.HasSuffix(name, e) })
}
