//go:build !linux

package kernel

// hasAMX is false: the package cannot request AMX from systems other than Linux.
func hasAMX() bool { return false }
