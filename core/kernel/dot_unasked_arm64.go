//go:build !darwin && !linux

package kernel

// hasPairs is false on systems other than Linux and macOS: they are not asked for it.
func hasPairs() bool { return false }
