//go:build linux || darwin || freebsd || netbsd || openbsd

package decoded

import (
	"errors"
	"fmt"
	"math"
	"os"
	"runtime/debug"

	"golang.org/x/sys/unix"
)

// newWindow maps the first size bytes of a file into memory, which it takes over;
// where that is refused, it is read in the ordinary way.
func newWindow(file *os.File, size int64) window {
	if size > math.MaxInt {
		return plain{file}
	}
	pages, err := unix.Mmap(int(file.Fd()), 0, int(size), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return plain{file}
	}
	return mapped{file, pages}
}

// mapped is a file in memory.
type mapped struct {
	file  *os.File
	pages []byte
}

// read copies, so that a page that the disk does not give (a file that was cut
// off, a failing disk) is an error here and no crash anywhere else.
func (m mapped) read(dst []byte, at int64) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		switch fault := recover().(type) {
		case nil:
		case interface{ Addr() uintptr }:
			err = fmt.Errorf("%w: %v", ErrDamaged, fault)
		default:
			panic(fault)
		}
	}()
	copy(dst, m.pages[at:])
	return nil
}

func (m mapped) close() error { return errors.Join(unix.Munmap(m.pages), m.file.Close()) }
