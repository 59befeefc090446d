// Package indexfile opens the index of a gallery (core/gallery, which has its
// format) by its path. Writing needs nothing of its own: artifact.Write gives a
// gallery.Writer a file that appears whole or not at all.
package indexfile

import (
	"errors"
	"fmt"
	"os"

	"github.com/deepemd/deepemd/core/gallery"
	"github.com/deepemd/deepemd/core/match"
)

// File is an open index: a gallery whose nodes stay on disk, where the system keeps
// those at hand that are asked for often. Close it when it is no longer used.
type File struct {
	*gallery.Index
	file *os.File
}

// Open opens an index.
//
// # Errors
//
// Those of gallery.Open and of reading, with the remedy. All name the path.
func Open(path string) (*File, error) {
	file, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("%w: is the path right? `deepemd index` makes one", err)
	}
	if err != nil {
		return nil, err
	}
	index, err := open(file)
	if errors.Is(err, gallery.ErrForeign) {
		err = fmt.Errorf("%w: name a file that `deepemd index` wrote", err)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), file.Close())
	}
	return &File{index, file}, nil
}

func open(file *os.File) (*gallery.Index, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, gallery.ErrForeign
	}
	return gallery.Open(file, info.Size())
}

// Prepared implements gallery.Gallery. Its errors name the path.
func (f *File) Prepared(i int, m *match.Matcher, scratch *gallery.Scratch) (*match.Prepared, error) {
	p, err := f.Index.Prepared(i, m, scratch)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.file.Name(), err)
	}
	return p, nil
}

// Close closes the file.
func (f *File) Close() error { return f.file.Close() }
