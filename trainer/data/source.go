package data

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/deepemd/deepemd/core/sound"
	"github.com/deepemd/deepemd/internal/filekind"
	"github.com/deepemd/deepemd/internal/folders"
	"github.com/deepemd/deepemd/internal/namedfile"
)

// source reads the files of a set. Names have slashes on every system.
type source interface {
	read(name string) ([]byte, error) // errors do not name the file
	// stat returns the size of a file in bytes, and a text that changes when its content does.
	stat(name string) (size int64, stamp string, err error)
	close() error
}

// listable is a source that can list its files.
type listable interface {
	source
	list() (files []string, unreadable []Left, err error)
	head(name string) []byte // the first bytes of the file; empty if it cannot be read
}

// maxFile limits the size of a file in bytes; images are far smaller.
const maxFile = 1 << 28

func openSource(name string) (listable, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, namedfile.Explain(err)
	}
	if info.IsDir() {
		return folder(name), nil
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: is a pipe or a device, and an archive is read from its end: write it to a file", name)
	}
	archive, err := zip.OpenReader(name)
	if err != nil {
		head := namedfile.Head(name, sound.SniffSize)
		if bytes.HasPrefix(head, []byte("PK")) {
			return nil, fmt.Errorf("%s: a zip archive that is cut off or damaged (%w): copy or download it again", name, err)
		}
		return nil, fmt.Errorf("%s: neither a folder nor a readable zip archive (%w)%s", name, err, filekind.Instead(head, "name one with a folder of images for each class"))
	}
	return newZip(archive), nil
}

// folder is a source on disk.
type folder string

// list implements listable. It visits each folder once, even if links lead to it.
func (f folder) list() (files []string, unreadable []Left, err error) {
	root, err := filepath.EvalSymlinks(string(f))
	if err != nil {
		return nil, nil, err
	}
	if _, err := os.ReadDir(root); err != nil {
		return nil, nil, err
	}
	var links []string
	visited := map[string]bool{}
	var walk func(real, dir string)
	walk = func(real, dir string) {
		if visited[real] {
			return
		}
		visited[real] = true
		entries, err := os.ReadDir(real)
		if err != nil {
			unreadable = append(unreadable, Left{fmt.Sprintf("%s (%v)", dir, errors.Unwrap(err)), "a folder that cannot be read"})
			return
		}
		for _, entry := range entries {
			name := path.Join(dir, entry.Name())
			switch mode := entry.Type(); {
			case folders.Hidden(entry.Name()):
			case mode.IsDir():
				walk(filepath.Join(real, entry.Name()), name)
			case mode.IsRegular():
				files = append(files, name)
			case mode&os.ModeSymlink != 0:
				links = append(links, name)
			}
		}
	}
	walk(root, "")
	for len(links) > 0 {
		name := links[0]
		links = links[1:]
		real, err := filepath.EvalSymlinks(filepath.Join(root, filepath.FromSlash(name)))
		if err != nil {
			continue
		}
		switch info, err := os.Stat(real); {
		case err != nil:
		case info.IsDir():
			walk(real, name)
		case info.Mode().IsRegular():
			files = append(files, name)
		}
	}
	return files, unreadable, nil
}

func (f folder) head(name string) []byte {
	return namedfile.Head(filepath.Join(string(f), filepath.FromSlash(name)), sound.SniffSize)
}

func (f folder) read(name string) ([]byte, error) {
	file, err := os.Open(filepath.Join(string(f), filepath.FromSlash(name)))
	if err != nil {
		return nil, errors.Unwrap(err) // without the name
	}
	defer file.Close()
	return readAll(file)
}

func (f folder) stat(name string) (int64, string, error) {
	info, err := os.Stat(filepath.Join(string(f), filepath.FromSlash(name)))
	if err != nil {
		return 0, "", err
	}
	return info.Size(), fmt.Sprintf("%d bytes of %d", info.Size(), info.ModTime().UnixNano()), nil
}

func (folder) close() error { return nil }

// archive is a source in a zip file.
type archive struct {
	closer io.Closer
	files  map[string]*zip.File
}

func newZip(r *zip.ReadCloser) *archive {
	a := &archive{closer: r, files: make(map[string]*zip.File, len(r.File))}
	for _, f := range r.File {
		// Names such as "/a.png" and "../a.png" also refer to files inside the archive.
		name := strings.TrimPrefix(path.Clean("/"+strings.ReplaceAll(f.Name, `\`, "/")), "/")
		if name != "" && f.FileInfo().Mode().IsRegular() {
			a.files[name] = f
		}
	}
	return a
}

func (a *archive) list() (files []string, unreadable []Left, err error) {
	return slices.Collect(maps.Keys(a.files)), nil, nil
}

func (a *archive) head(name string) []byte {
	r, err := a.files[name].Open()
	if err != nil {
		return nil
	}
	defer r.Close()
	head, _ := io.ReadAll(io.LimitReader(r, sound.SniffSize))
	return head
}

func (a *archive) read(name string) ([]byte, error) {
	file := a.files[name]
	if file == nil {
		return nil, fs.ErrNotExist
	}
	r, err := file.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return readAll(r)
}

func (a *archive) stat(name string) (int64, string, error) {
	f := a.files[name]
	if f == nil {
		return 0, "", fs.ErrNotExist
	}
	return int64(f.UncompressedSize64), fmt.Sprintf("%d bytes, CRC %08x", f.UncompressedSize64, f.CRC32), nil
}

func (a *archive) close() error { return a.closer.Close() }

// readAll reads a file of at most maxFile bytes.
func readAll(r io.Reader) ([]byte, error) {
	raw, err := io.ReadAll(io.LimitReader(r, maxFile+1))
	if err != nil {
		return nil, fmt.Errorf("%w: is the file damaged?", err)
	}
	if len(raw) > maxFile {
		return nil, fmt.Errorf("more than %d bytes: not an image of a data set", maxFile)
	}
	return raw, nil
}

// index finds images by names that may come from another copy of the dataset. Paths without extension have
// composed letters.
type index struct {
	name map[string]Picture   // by path
	path map[string][]Picture // by path without extension
	tail map[string][]Picture // by class or folder, and file without extension
}

func newIndex(pictures map[string][]Picture) index {
	x := index{name: make(map[string]Picture), path: make(map[string][]Picture), tail: make(map[string][]Picture)}
	for _, class := range pictures {
		for _, p := range class {
			x.name[p.Name] = p
			key := stem(norm.NFC.String(p.Name))
			x.path[key] = append(x.path[key], p)
			x.tail[classAndFile(key)] = append(x.tail[classAndFile(key)], p)
			if listed := path.Join(norm.NFC.String(p.Class), path.Base(key)); listed != classAndFile(key) {
				x.tail[listed] = append(x.tail[listed], p)
			}
		}
	}
	return x
}

// stem returns the path of an image without its extension.
func stem(name string) string {
	if isPicture(name) {
		return strings.TrimSuffix(name, path.Ext(name))
	}
	return name
}

// classAndFile returns the last two parts of a path: class and file.
func classAndFile(name string) string {
	return path.Join(path.Base(path.Dir(name)), path.Base(name))
}

// Find returns the image with a name: its path, the path with another extension (.png for .webp),
// or class and file if the folders above them differ. It returns an error if no image or several
// images match.
func (s *Set) Find(name string) (Picture, error) {
	// A name may contain a backslash; in lists from Windows, it separates folders.
	clean := strings.TrimPrefix(path.Clean("/"+strings.ReplaceAll(name, `\`, "/")), "/")
	for _, spelled := range []string{name, clean} {
		if p, known := s.index.name[spelled]; known {
			return p, nil
		}
	}
	clean = norm.NFC.String(clean)
	found := s.index.path[stem(clean)]
	if len(found) == 0 {
		found = s.index.tail[classAndFile(stem(clean))]
	}
	switch len(found) {
	case 0:
		return Picture{}, fmt.Errorf("%s: no image %s: are the names of this data set?", s.name, name)
	case 1:
		return found[0], nil
	}
	return Picture{}, fmt.Errorf("%s: %s may be %s or %s: give the full name", s.name, name, found[0].Name, found[1].Name)
}

// OpenUnclassified is OpenSplit for images without known classes, such as images to search: the set
// contains all images of a folder or zip archive. An image whose class is unknown has the class "".
//
// # Errors
//
// A path that is neither a folder nor a zip archive; no image.
func OpenUnclassified(name string) (*Set, error) {
	return openSet(name, func(c *contents) (*layout, error) {
		l, err := c.layout(nil, false)
		if err != nil {
			l = new(layout) // malformed lists do not matter here
		}
		known := make(map[string]bool, len(l.pictures))
		for _, p := range l.pictures {
			known[p.Name] = true
		}
		for _, file := range c.pictures {
			if !known[file] {
				l.pictures = append(l.pictures, Picture{Name: file})
			}
		}
		l.form, l.outside = "pictures", nil
		return l, nil
	})
}
