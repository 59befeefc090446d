//go:build !(linux || darwin)

package data

// Memory is how many bytes of memory the machine has: 0, since nobody tells.
func Memory() int64 { return 0 }
