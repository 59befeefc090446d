package main

import (
	"errors"
	"fmt"
	"io/fs"
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

// write writes a file of the folder.
func (s *folder) write(name string, data []byte) error {
	if s.written == nil {
		s.written = map[string]bool{}
	}
	s.written[name] = true
	return atomicfile.Replace(filepath.Join(s.out, filepath.FromSlash(name)), data)
}

// site writes all files of the site.
func (s *folder) site() error {
	manifest, err := s.manifest()
	if err != nil {
		return err
	}
	if err := s.kit("deepemd", true, map[string][]byte{"package.json": manifest}); err != nil {
		return err
	}
	if err := s.examples(); err != nil {
		return err
	}
	scripts, err := s.joined(studioScripts, nil)
	if err != nil {
		return err
	}
	for name, data := range scripts {
		if err := s.write("web/"+name, data); err != nil {
			return err
		}
	}
	if err := s.copyTree("web/static", "."); err != nil {
		return err
	}
	notice, err := s.notice(ofSite)
	if err != nil {
		return err
	}
	if err := s.write("NOTICE.txt", notice); err != nil {
		return err
	}
	if err := s.copyFile(filepath.Join(s.root, "LICENSE"), "LICENSE.txt"); err != nil {
		return err
	}
	for _, n := range append(networks, small) {
		if err := s.write("weights/"+n.name+".safetensors", n.file); err != nil {
			return err
		}
	}
	if err := s.documentation(); err != nil {
		return err
	}
	sheets, err := site.Styles()
	if err != nil {
		return err
	}
	if err := s.write("web/studio.css", sheets); err != nil {
		return err
	}
	page, err := site.Shell()
	if err != nil {
		return err
	}
	if err := s.write("index.html", page); err != nil {
		return err
	}
	if err := s.languages(); err != nil {
		return err
	}
	modfile, err := slimGoApp(s.root)
	if err != nil {
		return err
	}
	if err := s.goBuild(studioProgram(modfile), "web/app.wasm"); err != nil {
		return err
	}
	if err := s.player(); err != nil {
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

// languages writes the texts of the studio, one file for each language. A browser loads only one.
func (s *folder) languages() error {
	files, err := site.Texts()
	if err != nil {
		return err
	}
	for code, words := range files {
		if err := s.write("web/texts/"+code+".txt", words); err != nil {
			return err
		}
	}
	return nil
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

// copyTree copies the files of a folder of the module that the build has not written yet. It copies
// only files with one of the endings, if there are any. An absent folder is empty.
func (s *folder) copyTree(from, to string, endings ...string) error {
	base := filepath.Join(s.root, filepath.FromSlash(from))
	return filepath.WalkDir(base, func(path string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) && path == base {
			return nil
		}
		if err != nil {
			return err
		}
		hidden := strings.HasPrefix(entry.Name(), ".") || strings.HasSuffix(entry.Name(), ".go") || entry.Name() == "testdata"
		if entry.IsDir() {
			if hidden {
				return fs.SkipDir
			}
			return nil
		}
		if hidden || !hasEnding(entry.Name(), endings) {
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

// copyFile copies a file into the site.
func (s *folder) copyFile(from, name string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return s.write(path.Clean(name), data)
}

func hasEnding(name string, endings []string) bool {
	if len(endings) == 0 {
		return true
	}
	for _, e := range endings {
		if strings.HasSuffix(name, e) {
			return true
		}
	}
	return false
}
