//go:build !darwin

package kernel

import "golang.org/x/sys/cpu"

// attributes is the register of instruction set attributes, ID_AA64ISAR1_EL1. Only systems
// that say so let a program read it.
func attributes() uint64

// hasPairs reports whether the processor has products of pairs of bfloat16 (FEAT_BF16).
func hasPairs() bool {
	const bfloat16 = 44 // the first of the four bits that tell
	return cpu.ARM64.HasCPUID && attributes()>>bfloat16&15 != 0
}
