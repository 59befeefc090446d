package atomicfile

import (
	"errors"
	"runtime"
	"syscall"
)

// windowsFull are ERROR_HANDLE_DISK_FULL and ERROR_DISK_FULL, which Windows
// reports in place of ENOSPC.
var windowsFull = [...]syscall.Errno{39, 112}

// IsFull reports whether an error of writing means that the disk, or the person's
// share of it, is full.
func IsFull(err error) bool {
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return true
	}
	if runtime.GOOS == "windows" {
		for _, full := range windowsFull {
			if errors.Is(err, full) {
				return true
			}
		}
	}
	return false
}
