//go:build !linux

package kernel

// hasAMX is false on systems other than Linux: how to ask them for it is unknown.
func hasAMX() bool { return false }
