package data

import "golang.org/x/sys/unix"

// memory is how many bytes of memory the machine has.
func memory() int64 {
	if total, err := unix.SysctlUint64("hw.memsize"); err == nil {
		return int64(total)
	}
	return otherwiseMemory
}
