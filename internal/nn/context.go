package nn

import (
	"runtime"

	"github.com/deepemd/deepemd/internal/kernel"
)

// Context is the equipment of a pass through a network: kernels, number of threads,
// and memory that one layer uses after the other.
type Context struct {
	Kernels *kernel.Set
	Threads int // at least 1

	crew    *crew
	scratch [2][]float32
	split   []uint32

	activations byteRows
}

// Split calls do for ranges that together cover 0…n-1, on up to c.Threads
// goroutines at a time, and returns when all are done. The result for an index must
// not depend on its range.
func (c *Context) Split(n int, do func(from, to int)) {
	threads := min(c.Threads, n)
	if threads <= 1 {
		do(0, n)
		return
	}
	if c.crew == nil {
		c.crew = &crew{}
	}
	c.crew.split(n, threads, do)
}

// Buffer returns memory of at least n floats, with any content; which is 0 or 1.
// The next layer may use the same memory.
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

// Options say how a network runs. The zero value is the fastest way.
type Options struct {
	Threads   int         // at most this many at the same time; 0 for all cores
	LowMemory bool        // direct convolutions only, where there are any: a fifth of the memory, half the speed
	Kernels   *kernel.Set // nil for the best of this machine
}

// Context is the equipment that they ask for.
func (o Options) Context() Context {
	c := Context{Kernels: o.Kernels, Threads: o.Threads}
	if c.Kernels == nil {
		c.Kernels = kernel.Best()
	}
	if c.Threads <= 0 {
		c.Threads = runtime.GOMAXPROCS(0)
	}
	return c
}
