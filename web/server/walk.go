package server

import (
	"fmt"
	"io/fs"
	"os"
	"path"
)

// mostFiles is how many files and folders a site may have. Folders that link to each
// other hold any number.
const mostFiles = 100_000

// Walk calls visit with the path of every file of a site, in the order of names. Links to
// files and folders are followed, but not to a folder that they lie in; links that lead
// nowhere, pipes and devices are no files.
//
// # Errors
//
// It stops at the first error, that of visit or of a folder that cannot be read, and at
// the 100,000th file or folder.
func Walk(site fs.FS, visit func(name string) error) error {
	w := walker{site: site, visit: visit, left: mostFiles}
	return w.folder(".")
}

type walker struct {
	site  fs.FS
	visit func(name string) error
	left  int // files and folders that may still come
}

// folder walks a folder that lies in the given ones.
func (w *walker) folder(dir string, above ...fs.FileInfo) error {
	entries, err := fs.ReadDir(w.site, dir)
	if err != nil {
		return err
	}
	self, err := fs.Stat(w.site, dir)
	if err != nil {
		return err
	}
	for _, folder := range above {
		if os.SameFile(folder, self) {
			return nil
		}
	}
	above = append(above[:len(above):len(above)], self)
	for _, entry := range entries {
		if w.left--; w.left < 0 {
			return fmt.Errorf("%s: more files and folders than a site has: does a link lead out of it?", dir)
		}
		name := path.Join(dir, entry.Name())
		info, err := fs.Stat(w.site, name)
		if err != nil && entry.Type()&fs.ModeSymlink != 0 {
			continue
		}
		switch {
		case err != nil:
			return err
		case info.IsDir():
			err = w.folder(name, above...)
		case info.Mode().IsRegular():
			err = w.visit(name)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
