//go:build !darwin

package kernel

import "golang.org/x/sys/cpu"

// attributes reads the register ID_AA64ISAR1_EL1. A program may read it only if the system reports
// HasCPUID.
func attributes() uint64

// hasPairs reports whether the processor has products of pairs of bfloat16 (FEAT_BF16).
func hasPairs() bool {
	const bfloat16 = 44 // the lowest bit of its field
	return cpu.ARM64.HasCPUID && attributes()>>bfloat16&15 != 0
}
