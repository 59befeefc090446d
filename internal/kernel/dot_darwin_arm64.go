package kernel

import "syscall"

// hasPairs reports whether the processor has products of pairs of bfloat16 (FEAT_BF16):
// those of Apple do from the M2 on.
func hasPairs() bool {
	has, err := syscall.SysctlUint32("hw.optional.arm.FEAT_BF16")
	return err == nil && has != 0
}
