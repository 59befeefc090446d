package main

import (
	"errors"

	"github.com/deepemd/deepemd/core/gallery"
)

// both is a store that writes to a file and then to memory.
type both struct {
	file   gallery.Store
	memory *gallery.Buffer
}

func (b both) WriteAt(p []byte, at int64) (int, error) {
	if n, err := b.file.WriteAt(p, at); err != nil {
		return n, err
	}
	return b.memory.WriteAt(p, at)
}

func (b both) Sync() error { return b.file.Sync() }

func (b both) Truncate(size int64) error {
	return errors.Join(b.file.Truncate(size), b.memory.Truncate(size))
}
