// Package nn holds the layers of inference, one a file: 3×3 convolutions (direct
// and Winograd), the 1×1 convolution of a shortcut, max-pooling, and the folding
// of batch normalisation into the weights before it.
//
// Layers work on [Map], a batch of feature maps with the channels innermost and
// a border of zeros, so that a convolution reads its input in place. What layers
// there are and how they follow each other is the business of package resnet.
package nn

import (
	"runtime"
	"sync/atomic"

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

// crew are goroutines that help with what a pass through a network splits. A layer takes
// some ten microseconds, about as long as it takes to wake a thread, so helpers look for
// the next layer's work for a while before they end.
type crew struct {
	latest  atomic.Pointer[work]
	looking atomic.Int32 // helpers
}

// patience is how often a helper looks for work, a nanosecond or two each, before it ends;
// and how often the goroutine that split the work looks for its end before it lets others run.
const patience = 1 << 15

// work is the indices 0…n-1, of which everyone takes some until there are none: one whose
// thread does not run for a while keeps the others from nothing but what it has taken.
type work struct {
	n, threads  int
	do          func(from, to int)
	taken, done atomic.Int64
}

// split calls do for all of 0…n-1 by so many threads.
func (c *crew) split(n, threads int, do func(from, to int)) {
	w := &work{n: n, threads: threads, do: do}
	c.latest.Store(w)
	for int(c.looking.Load()) < threads-1 {
		c.looking.Add(1)
		go c.help()
	}
	w.run()
	for looked := 1; int(w.done.Load()) < n; looked++ {
		if looked%patience == 0 {
			runtime.Gosched()
		}
	}
}

// help takes part in the latest work until there has been none for a while.
func (c *crew) help() {
	defer c.looking.Add(-1)
	var last *work
	for looked := 0; looked < patience; looked++ {
		if w := c.latest.Load(); w != last {
			last, looked = w, 0
			w.run()
		}
	}
}

// run takes ranges that get smaller, so that all end at about the same time.
func (w *work) run() {
	for {
		from := w.taken.Load()
		left := int64(w.n) - from
		if left <= 0 {
			return
		}
		size := max(1, left/int64(2*w.threads))
		if w.taken.CompareAndSwap(from, from+size) {
			w.do(int(from), int(from+size))
			w.done.Add(size)
		}
	}
}
