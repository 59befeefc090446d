package data

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// source is where the files of a set lie. Names have slashes on every system.
type source interface {
	list() ([]string, error)
	read(name string) ([]byte, error) // whose errors do not name the file
	// stamp changes when the content of a file does.
	stamp(name string) (string, error)
	close() error
}

// maxFile bounds a file that is read, in bytes; pictures are far below.
const maxFile = 1 << 28

// openSource opens a folder or zip archive.
func openSource(name string) (source, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, readable(err)
	}
	if info.IsDir() {
		return folder(name), nil
	}
	archive, err := zip.OpenReader(name)
	if err != nil {
		return nil, fmt.Errorf("%s: neither a folder nor a readable zip archive: %w", name, err)
	}
	return newZip(archive), nil
}

// folder is a source on disk.
type folder string

// maxDepth bounds the folders above a picture, so that links which form a
// circle come to an end.
const maxDepth = 8

// list implements source. Links to folders are followed.
func (f folder) list() ([]string, error) {
	var files []string
	var walk func(dir string, depth int) error
	walk = func(dir string, depth int) error {
		entries, err := os.ReadDir(filepath.Join(string(f), filepath.FromSlash(dir)))
		if err != nil {
			return err
		}
		for _, entry := range entries {
			name := path.Join(dir, entry.Name())
			mode := entry.Type()
			if mode&os.ModeSymlink != 0 {
				info, err := os.Stat(filepath.Join(string(f), filepath.FromSlash(name)))
				if err != nil {
					continue // leads nowhere
				}
				mode = info.Mode()
			}
			switch {
			case mode.IsDir() && depth < maxDepth:
				if err := walk(name, depth+1); err != nil {
					return err
				}
			case mode.IsRegular():
				files = append(files, name)
			}
		}
		return nil
	}
	return files, walk("", 0)
}

// read implements source.
func (f folder) read(name string) ([]byte, error) {
	file, err := os.Open(filepath.Join(string(f), filepath.FromSlash(name)))
	var failed *fs.PathError
	if errors.As(err, &failed) {
		return nil, failed.Err
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return readAll(file)
}

// stamp implements source.
func (f folder) stamp(name string) (string, error) {
	info, err := os.Stat(filepath.Join(string(f), filepath.FromSlash(name)))
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%d bytes of %d", info.Size(), info.ModTime().UnixNano()), nil
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
		// Whatever its name says, "/a.png" or "../a.png", a file lies in the archive.
		name := strings.TrimPrefix(path.Clean("/"+strings.ReplaceAll(f.Name, `\`, "/")), "/")
		if name != "" && f.FileInfo().Mode().IsRegular() {
			a.files[name] = f
		}
	}
	return a
}

// list implements source.
func (a *archive) list() ([]string, error) {
	names := make([]string, 0, len(a.files))
	for name := range a.files {
		names = append(names, name)
	}
	return names, nil
}

// read implements source.
func (a *archive) read(name string) ([]byte, error) {
	r, err := a.files[name].Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return readAll(r)
}

// stamp implements source.
func (a *archive) stamp(name string) (string, error) {
	f := a.files[name]
	return fmt.Sprintf("%d bytes, CRC %08x", f.UncompressedSize64, f.CRC32), nil
}

func (a *archive) close() error { return a.closer.Close() }

// readAll reads a file of at most maxFile bytes.
func readAll(r io.Reader) ([]byte, error) {
	raw, err := io.ReadAll(io.LimitReader(r, maxFile+1))
	if err != nil {
		return nil, fmt.Errorf("%w: is the file damaged?", err)
	}
	if len(raw) > maxFile {
		return nil, fmt.Errorf("more than %d bytes: not a picture of a data set", maxFile)
	}
	return raw, nil
}
