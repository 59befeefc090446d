//go:build !(linux || darwin)

package data

// memory is how many bytes of memory the machine is taken to have.
func memory() int64 { return otherwiseMemory }
