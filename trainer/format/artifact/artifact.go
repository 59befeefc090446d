// Package artifact writes the files of the trainer and the commands by package
// internal/atomicfile.
package artifact

import (
	"io"

	"github.com/deepemd/deepemd/internal/atomicfile"
)

// Write is [atomicfile.Write].
func Write(path string, write func(io.Writer) error) error { return atomicfile.Write(path, write) }

// IsFull is [atomicfile.IsFull].
func IsFull(err error) bool { return atomicfile.IsFull(err) }

// RemoveHalves is [atomicfile.RemoveHalves].
func RemoveHalves(dir, name string) error { return atomicfile.RemoveHalves(dir, name) }

// RemoveAbandoned is [atomicfile.RemoveAbandoned].
func RemoveAbandoned(dir string) error { return atomicfile.RemoveAbandoned(dir) }
