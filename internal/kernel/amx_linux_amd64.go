package kernel

import (
	"sync"
	"syscall"

	"golang.org/x/sys/cpu"
)

// hasAMX reports whether the processor multiplies bfloat16 in tiles (Intel's AMX)
// and the operating system lets this process use them, which it has to ask for once:
// they make the state of a thread larger.
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
