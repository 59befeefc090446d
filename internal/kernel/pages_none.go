//go:build !linux

package kernel

// inLargePages does nothing where it is unknown how to ask for them.
func inLargePages([]byte) {}
