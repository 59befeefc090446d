//go:build !(linux || darwin)

package cluster

// memory returns 0: the size of the memory is unknown.
func memory() int64 { return 0 }
