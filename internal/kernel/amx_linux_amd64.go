package kernel

import (
	"sync"
	"syscall"

	"golang.org/x/sys/cpu"
)

// hasAMX reports whether the processor multiplies bfloat16 in tiles (Intel's AMX) and Linux permits
// it. A process has to request the permission once, since tiles enlarge the state of its threads.
var hasAMX = sync.OnceValue(func() bool {
	const (
		requestPermission = 0x1023 // ARCH_REQ_XCOMP_PERM
		tileData          = 18     // XFEATURE_XTILEDATA
	)
	if !cpu.X86.HasAMXTile || !cpu.X86.HasAMXBF16 {
		return false
	}
	_, _, errno := syscall.RawSyscall(syscall.SYS_ARCH_PRCTL, requestPermission, tileData, 0)
	return errno == 0
})
