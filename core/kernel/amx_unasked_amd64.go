//go:build !linux

package kernel

// hasAMX is false where nobody has found out how to ask for it.
func hasAMX() bool { return false }
