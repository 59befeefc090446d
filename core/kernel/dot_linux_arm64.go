package kernel

import "golang.org/x/sys/unix"

// hasPairs reports whether the processor has products of pairs of bfloat16 (FEAT_BF16).
func hasPairs() bool {
	const (
		hwcap2   = 26      // AT_HWCAP2
		bfloat16 = 1 << 14 // HWCAP2_BF16
	)
	vector, err := unix.Auxv()
	if err != nil {
		return false
	}
	for _, entry := range vector {
		if entry[0] == hwcap2 {
			return entry[1]&bfloat16 != 0
		}
	}
	return false
}
