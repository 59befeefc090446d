// Package indexfile opens index files of core/gallery by path: memory-mapped to search them, or
// locked to add images.
package indexfile

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"reflect"
	"runtime/debug"
	"time"

	"github.com/deepemd/deepemd/core/gallery"
	"github.com/deepemd/deepemd/core/match"
	"github.com/deepemd/deepemd/internal/atomicfile"
	"github.com/deepemd/deepemd/internal/filekind"
)

// File is an open index, memory-mapped if the system supports it: a search reads only the parts that
// it needs. Close it after use.
type File struct {
	*gallery.Index
	path  string
	unmap func() error
}

// The preamble of an index seems damaged while another process writes it.
const (
	attempts = 3
	pause    = 20 * time.Millisecond
)

// Open opens an index. If another process adds images, the index stays as it was at this time.
//
// # Errors
//
// Errors of gallery.Open and of reading, with the remedy. They name the path.
func Open(path string) (*File, error) {
	for attempt := 1; ; attempt++ {
		f, err := open(path)
		if attempt < attempts && errors.Is(err, gallery.ErrDamaged) {
			time.Sleep(pause)
			continue
		}
		switch {
		case errors.Is(err, os.ErrNotExist):
			err = fmt.Errorf("%w: is the path right? `deepemd index` makes an index", err)
		case err != nil:
			err = fmt.Errorf("%s: %w", path, err)
		}
		return f, err
	}
}

// foreign returns the error for a file of another kind.
func foreign(data []byte) error {
	return fmt.Errorf("%w%s", gallery.ErrForeign, filekind.Instead(data, "name a file that `deepemd index` wrote"))
}

func open(path string) (*File, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close() // the mapping stays valid
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() == 0 {
		return nil, foreign(nil)
	}
	bytes, unmap, err := mapped(file, info.Size())
	if err != nil {
		return nil, err
	}
	var index *gallery.Index
	err = Guard(func() (err error) {
		index, err = gallery.Open(bytes)
		return err
	})
	if errors.Is(err, gallery.ErrForeign) {
		err = foreign(bytes)
	}
	if err != nil {
		return nil, errors.Join(err, unmap())
	}
	return &File{index, path, unmap}, nil
}

// ErrCut is the error of an index that became shorter while it was read.
var ErrCut = errors.New("the index was cut off or its disk failed while it was read: index the pictures again, or repeat the command if it was replaced")

// Guard calls work, which reads an open index, and returns ErrCut if it reads beyond the end of the
// file. Without Guard that ends the program.
func Guard(work func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		switch r := recover().(type) {
		case nil:
		case interface{ Addr() uintptr }: // a memory fault
			err = ErrCut
		default:
			panic(r)
		}
	}()
	return work()
}

// Guard is [Guard] with errors that name the path of the index.
func (f *File) Guard(work func() error) error {
	err := Guard(work)
	if errors.Is(err, ErrCut) {
		return fmt.Errorf("%s: %w", f.path, err)
	}
	return err
}

// Prepared implements gallery.Gallery. Its errors name the path.
func (f *File) Prepared(i int, m *match.Matcher, scratch *gallery.Scratch) (*match.Prepared, error) {
	p, err := f.Index.Prepared(i, m, scratch)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.path, err)
	}
	return p, nil
}

// Close closes the index.
func (f *File) Close() error { return f.unmap() }

// Writer is an index that only this process can change. Others can search it.
type Writer struct {
	*gallery.Writer
	Index *File // the original index; nil for a new one
	path  string
	file  *os.File
	held  *atomicfile.Lock
}

// OpenWriter opens or creates an index to add images. An existing index must have the catalog about,
// except for the source.
//
// # Errors
//
// *atomicfile.InUseError while another process changes it; an index with another network,
// preprocessing or embedder, with the remedy; errors of Open. They name the path.
func OpenWriter(path string, about gallery.Catalog) (g *Writer, err error) {
	g = &Writer{path: path}
	if g.held, err = atomicfile.HoldFile(path); err != nil {
		return nil, err
	}
	if err := g.open(about); err != nil {
		return nil, errors.Join(err, g.Release())
	}
	return g, nil
}

// GrowAny is [OpenWriter] for an existing index with any catalog.
func GrowAny(path string) (*Writer, error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	about := *cmp.Or(f.Catalog(), &gallery.Catalog{})
	if err := f.Close(); err != nil {
		return nil, err
	}
	return OpenWriter(path, about)
}

func (g *Writer) open(about gallery.Catalog) (err error) {
	info, err := os.Stat(g.path)
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && info.Mode().IsRegular() && info.Size() == 0: // empty: a crash ended its writer
		if g.file, err = os.OpenFile(g.path, os.O_RDWR|os.O_CREATE, 0o666); err != nil {
			return err
		}
		g.Writer, err = gallery.Create(g.file, about)
		return err
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s: not a file: name another one", g.path)
	}
	if g.Index, err = Open(g.path); err != nil {
		return err
	}
	if err := compare(g.Index.Catalog(), about); err != nil {
		return fmt.Errorf("%s: %w: name another file, or delete it to index the pictures again", g.path, err)
	}
	if g.file, err = os.OpenFile(g.path, os.O_RDWR, 0); err != nil {
		return err
	}
	g.Writer = gallery.Extend(g.file, g.Index.Index, about)
	return nil
}

// compare returns an error with the difference between two catalogs.
func compare(c *gallery.Catalog, about gallery.Catalog) error {
	switch {
	case c == nil: // an index without images
		return nil
	case c.Network.SHA256 != about.Network.SHA256:
		return fmt.Errorf("an index with other weights (%s, SHA-256 %.12s…, not %.12s…)", c.Network.Name, c.Network.SHA256, about.Network.SHA256)
	case !reflect.DeepEqual(c.Network.Embedder, about.Network.Embedder) || c.Preprocess != about.Preprocess:
		return errors.New("an index with another embedder or input size")
	case c.Sound != about.Sound:
		return errors.New("an index of the other kind, pictures or recordings")
	}
	return nil
}

// Release closes the index. It removes a new index without images.
func (g *Writer) Release() (err error) {
	if g.Index != nil {
		err = g.Index.Close()
	}
	if g.file != nil {
		err = errors.Join(err, g.file.Close())
		if g.Index == nil && (g.Writer == nil || g.Committed() == 0) {
			err = errors.Join(err, os.Remove(g.path))
		}
	}
	return errors.Join(err, g.held.Release())
}
