//go:build !unix

package indexfile

import (
	"io"
	"os"
)

// mapped reads a file, on systems without mmap.
func mapped(file *os.File, size int64) (bytes []byte, unmap func() error, err error) {
	bytes = make([]byte, size)
	if _, err := io.ReadFull(file, bytes); err != nil {
		return nil, nil, err
	}
	return bytes, func() error { return nil }, nil
}
