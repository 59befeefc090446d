package kernel

import "syscall"

// hasPairs reports whether the processor has products of bfloat16 pairs (FEAT_BF16): Apple M2 and
// later.
func hasPairs() bool {
	has, err := syscall.SysctlUint32("hw.optional.arm.FEAT_BF16")
	return err == nil && has != 0
}
