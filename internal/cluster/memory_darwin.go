package cluster

import "golang.org/x/sys/unix"

// memory returns the size of the machine's memory in bytes, or 0 if it is unknown.
func memory() int64 {
	total, err := unix.SysctlUint64("hw.memsize")
	if err != nil {
		return 0
	}
	return int64(total)
}
