//go:build !linux

package kernel

func inLargePages([]byte) {}
