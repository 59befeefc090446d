package nn

import (
	"sync"

	"github.com/deepemd/deepemd/core/kernel"
)

// Context is what a pass through a network runs on: the kernels, the number of
// threads, and memory that layers use one after the other.
type Context struct {
	Kernels *kernel.Set
	Threads int // at least 1

	scratch [2][]float32
	split   []uint32
}

// Split calls do for ranges that together cover 0…n-1, at the same time on up
// to c.Threads goroutines, and returns when all are done. What do computes for
// an index must not depend on the range it comes in.
func (c *Context) Split(n int, do func(from, to int)) {
	parts := min(c.Threads, n)
	if parts <= 1 {
		do(0, n)
		return
	}
	var wait sync.WaitGroup
	for i := 1; i < parts; i++ {
		wait.Go(func() { do(i*n/parts, (i+1)*n/parts) })
	}
	do(0, n/parts)
	wait.Wait()
}

// Buffer returns memory of at least n floats, of any content; which is 0 or 1. It
// is anybody's again when the layer that asked for it ends.
func (c *Context) Buffer(which, n int) []float32 {
	if len(c.scratch[which]) < n {
		c.scratch[which] = make([]float32, n)
	}
	return c.scratch[which]
}

// splitBuffer is [Context.Buffer] for maps that are split in two bfloat16: it starts
// at a cache line.
func (c *Context) splitBuffer(n int) []uint32 {
	if len(c.split) < n {
		c.split = kernel.Aligned[uint32](n)
	}
	return c.split
}
