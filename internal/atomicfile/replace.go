package atomicfile

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Replace makes the file at path hold the data, as [Write] does, and creates missing
// folders. A file with the same content keeps its modification time, so that build steps
// which depend on it do not run again.
//
// # Errors
//
// The same as those of [Write], and the system's error if the old file cannot be read.
func Replace(path string, data []byte) error {
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
	return Write(path, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}
