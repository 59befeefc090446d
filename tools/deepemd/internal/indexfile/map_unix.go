//go:build unix

package indexfile

import (
	"os"

	"golang.org/x/sys/unix"
)

// mapped maps a file into memory.
func mapped(file *os.File, size int64) (bytes []byte, unmap func() error, err error) {
	bytes, err = unix.Mmap(int(file.Fd()), 0, int(size), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil, nil, os.NewSyscallError("mmap", err)
	}
	return bytes, func() error { return os.NewSyscallError("munmap", unix.Munmap(bytes)) }, nil
}
