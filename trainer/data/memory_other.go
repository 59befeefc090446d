//go:build !(linux || darwin)

package data

// Memory returns 0: the size of the memory is unknown.
func Memory() int64 { return 0 }
