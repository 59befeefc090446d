package decoded

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/deepemd/deepemd/core/imaging"
)

// File is an open file of decoded pictures. Its methods may be called from several
// goroutines at a time.
type File struct {
	path    string
	entries []entry

	mu     sync.RWMutex // against reading what is closed
	window window       // nil when closed
}

// window gives the bytes of a file.
type window interface {
	// read fills dst from an offset within the file.
	read(dst []byte, at int64) error
	close() error
}

// Open opens a file that was built of what a fingerprint stands for.
//
// # Errors
//
// An absent file (fs.ErrNotExist), ErrStale, ErrDamaged: build it. ErrForeign: the
// file is something else, which must not be replaced.
func Open(path string, of Fingerprint) (*File, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	f, err := open(path, file, of)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), file.Close())
	}
	return f, nil
}

func open(path string, file *os.File, of Fingerprint) (*File, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, ErrForeign
	}
	raw := make([]byte, headerSize)
	n, err := file.ReadAt(raw, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	h, err := parseHeader(raw[:n], info.Size())
	if err != nil {
		return nil, err
	}
	if h.fingerprint != of {
		return nil, ErrStale
	}
	index := make([]byte, entrySize*int(h.pictures))
	if _, err := file.ReadAt(index, int64(h.index)); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	f := &File{path: path}
	if f.entries, err = parseIndex(index, h); err != nil {
		return nil, err
	}
	f.window = newWindow(file, int64(h.index))
	return f, nil
}

// Len is the number of pictures, those that could not be decoded included.
func (f *File) Len() int { return len(f.entries) }

// Size is the number of bytes of all pixels.
func (f *File) Size() int64 {
	var size int64
	for _, e := range f.entries {
		size += int64(e.size())
	}
	return size
}

// Picture returns picture number i, from 0, the caller's own.
//
// # Errors
//
// ErrAbsent; ErrDamaged where the pixels are not those that were written; those of
// reading.
func (f *File) Picture(i int) (*imaging.Image, error) {
	e := f.entries[i]
	if e.width == 0 {
		return nil, ErrAbsent
	}
	pix := make([]uint8, e.size())
	f.mu.RLock()
	defer f.mu.RUnlock()
	if f.window == nil {
		return nil, os.ErrClosed
	}
	if err := f.window.read(pix, int64(e.offset)); err != nil {
		return nil, fmt.Errorf("%s: picture %d: %w", f.path, i, err)
	}
	if sum(pix) != e.sum {
		return nil, fmt.Errorf("%s: picture %d: %w", f.path, i, ErrDamaged)
	}
	return &imaging.Image{Width: int(e.width), Height: int(e.height), Pix: pix}, nil
}

// Close releases the file. Pictures that were returned stay.
func (f *File) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.window == nil {
		return nil
	}
	err := f.window.close()
	f.window = nil
	return err
}

// plain reads a file without mapping it.
type plain struct{ file *os.File }

func (p plain) read(dst []byte, at int64) error {
	_, err := p.file.ReadAt(dst, at)
	return err
}

func (p plain) close() error { return p.file.Close() }
