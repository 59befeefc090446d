// Package namedfile reads files that users name: with limits, and errors that state a remedy.
package namedfile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// Limits for files, in bytes. They are far above the sizes of real files.
const (
	MaxPicture = 1 << 28 // images and recordings
	MaxText    = 1 << 30 // JSON and CSV
	MaxWeights = 1 << 31 // networks of any format
)

// Open opens a file of at most limit bytes. The size of a pipe is unknown, so its reader must check
// the limit.
//
// # Errors
//
// A larger file, a device other than os.DevNull, a path that cannot be opened. They name the path and the remedy.
func Open(path string, limit int64) (*os.File, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, Explain(err)
	}
	info, err := file.Stat()
	switch {
	case err != nil:
	case info.Mode()&fs.ModeDevice != 0 && path != os.DevNull:
		err = fmt.Errorf("%s: a device: name a file", path)
	case info.Mode().IsRegular() && info.Size() > limit:
		err = tooLarge(path, limit)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// Read reads a file of at most limit bytes, with the errors of [Open].
func Read(path string, limit int64) ([]byte, error) {
	file, err := Open(path, limit)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return ReadAll(path, file, limit)
}

// ReadAll reads at most limit bytes from r, which has the given name in errors.
func ReadAll(name string, r io.Reader, limit int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err == nil && int64(len(data)) > limit {
		err = tooLarge(name, limit)
	}
	if err != nil {
		return nil, Explain(err)
	}
	return data, nil
}

func tooLarge(name string, limit int64) error {
	return fmt.Errorf("%s: larger than %d MB: is it the right file?", name, limit>>20)
}

// Head returns the first n bytes of a file, or fewer; none if it cannot be read, or is a pipe, which
// can be read only once.
func Head(path string, n int) []byte {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	file, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer file.Close()
	head := make([]byte, n)
	n, _ = io.ReadFull(file, head)
	return head[:n]
}

// WithoutMark returns text without a byte order mark, which Windows writes.
func WithoutMark(text []byte) []byte { return bytes.TrimPrefix(text, []byte("\ufeff")) }

// Explain adds the remedy to an error of opening or reading a file.
func Explain(err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%w: is the path right?", err)
	case errors.Is(err, syscall.EISDIR):
		return fmt.Errorf("%w: name a file in it", err)
	}
	return err
}
