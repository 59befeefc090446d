// Package replace writes files whole or not at all, and leaves those alone that are
// up to date: what depends on their times need not be made again.
package replace

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// File makes the file hold the data, whole or not at all, and makes the folders above it.
// A file that holds them already keeps its time. Everybody may read it.
//
// # Errors
//
// It returns what the system says when the file cannot be written; then the file is as it
// was before.
func File(path string, data []byte) error {
	old, err := os.ReadFile(path)
	if err == nil && bytes.Equal(old, data) {
		return nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".new-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // gone already when all went well
	if _, err := f.Write(data); err != nil {
		f.Close()
		return err
	}
	if err := errors.Join(f.Chmod(0o644), f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
