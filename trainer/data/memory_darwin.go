package data

import "golang.org/x/sys/unix"

// Memory is how many bytes of memory the machine has; 0 if nobody tells.
func Memory() int64 {
	total, err := unix.SysctlUint64("hw.memsize")
	if err != nil {
		return 0
	}
	return int64(total)
}
