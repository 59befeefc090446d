package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"time"
)

// epoch is the time of every file in an archive: that which npm gives them. A file's own
// would make each build another archive.
var epoch = time.Date(1985, time.October, 26, 8, 15, 0, 0, time.UTC)

// entry is a file that goes into an archive.
type entry struct {
	name       string // slash-separated
	from       string // on the disk
	executable bool
}

func (e entry) mode() fs.FileMode {
	if e.executable {
		return 0o755
	}
	return 0o644
}

// tree lists the files of a folder, in the order of their names, below a name. What is no
// regular file is an error: a link leads somewhere else on every machine.
func tree(folder, below string) ([]entry, error) {
	var all []entry
	err := filepath.WalkDir(folder, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if !d.Type().IsRegular() {
			return fmt.Errorf("%s is no regular file: an archive holds nothing else", file)
		}
		rel, err := filepath.Rel(folder, file)
		all = append(all, entry{name: path.Join(below, filepath.ToSlash(rel)), from: file})
		return err
	})
	if err == nil && len(all) == 0 {
		err = fmt.Errorf("%s is empty", folder)
	}
	return all, err
}

// pack writes an archive, a .zip or a .tar.gz (.tgz) by its name: the same bytes for the
// same names and contents.
func pack(file string, entries []entry) (err error) {
	out, err := os.Create(file)
	if err != nil {
		return err
	}
	defer func() {
		if closed := out.Close(); err == nil {
			err = closed
		}
	}()
	if filepath.Ext(file) == ".zip" {
		return packZip(out, entries)
	}
	return packTar(out, entries)
}

func packTar(out io.Writer, entries []entry) error {
	z, err := gzip.NewWriterLevel(out, gzip.BestCompression)
	if err != nil {
		return err
	}
	w := tar.NewWriter(z)
	for _, e := range entries {
		data, err := os.ReadFile(e.from)
		if err != nil {
			return err
		}
		// Neither who owns the file nor when it was made: both are of this machine.
		if err := w.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: e.name, Size: int64(len(data)), Mode: int64(e.mode()), ModTime: epoch}); err != nil {
			return fmt.Errorf("%s: %w", e.name, err)
		}
		if _, err := w.Write(data); err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	return z.Close()
}

func packZip(out io.Writer, entries []entry) error {
	w := zip.NewWriter(out)
	for _, e := range entries {
		data, err := os.ReadFile(e.from)
		if err != nil {
			return err
		}
		header := &zip.FileHeader{Name: e.name, Method: zip.Deflate, Modified: epoch}
		header.SetMode(e.mode())
		f, err := w.CreateHeader(header)
		if err != nil {
			return fmt.Errorf("%s: %w", e.name, err)
		}
		if _, err := f.Write(data); err != nil {
			return err
		}
	}
	return w.Close()
}
