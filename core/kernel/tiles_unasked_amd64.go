//go:build !linux

package kernel

// hasTiles is false where nobody has found out how to ask for them.
func hasTiles() bool { return false }
