package nn

import (
	"runtime"

	"github.com/deepemd/deepemd/internal/kernel"
)

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
