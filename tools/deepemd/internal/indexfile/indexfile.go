// Package indexfile opens the index of a gallery (core/gallery, which has its
// format) by its path: mapped into memory to search it, or held to add to it.
package indexfile

import (
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/deepemd/deepemd/core/gallery"
	"github.com/deepemd/deepemd/core/match"
)

// File is an open index, mapped into memory where the system can: what a search does not
// touch is not read, and what it touches the system keeps at hand or lets go. Close it when
// it is no longer used.
type File struct {
	*gallery.Index
	path  string
	unmap func() error
}

// An index whose preamble is being written just now seems damaged.
const (
	attempts = 3
	pause    = 20 * time.Millisecond
)

// Open opens an index. Another process may be adding to it: it is searched as it was then.
//
// # Errors
//
// Those of gallery.Open and of reading, with the remedy. All name the path.
func Open(path string) (*File, error) {
	for attempt := 1; ; attempt++ {
		f, err := open(path)
		if attempt < attempts && errors.Is(err, gallery.ErrDamaged) {
			time.Sleep(pause)
			continue
		}
		switch {
		case errors.Is(err, os.ErrNotExist):
			err = fmt.Errorf("%w: is the path right? `deepemd index` makes one", err)
		case errors.Is(err, gallery.ErrForeign):
			err = fmt.Errorf("%s: %w: name a file that `deepemd index` wrote", path, err)
		case err != nil:
			err = fmt.Errorf("%s: %w", path, err)
		}
		return f, err
	}
}

func open(path string) (*File, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close() // a mapping outlives its file
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() == 0 {
		return nil, gallery.ErrForeign
	}
	bytes, unmap, err := mapped(file, info.Size())
	if err != nil {
		return nil, err
	}
	index, err := gallery.Open(bytes)
	if err != nil {
		return nil, errors.Join(err, unmap())
	}
	return &File{index, path, unmap}, nil
}

// Prepared implements gallery.Gallery. Its errors name the path.
func (f *File) Prepared(i int, m *match.Matcher, scratch *gallery.Scratch) (*match.Prepared, error) {
	p, err := f.Index.Prepared(i, m, scratch)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.path, err)
	}
	return p, nil
}

// Close lets the index go, which must not be used afterwards.
func (f *File) Close() error { return f.unmap() }
