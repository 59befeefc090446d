// Package nn holds the layers of inference: 3×3 convolutions (direct, Winograd and bfloat16),
// strided, pointwise and depthwise convolutions, attention, dense layers, pooling, and the folding
// of batch normalization into the weights before it.
//
// Layers work on [Map], a batch of feature maps with channels innermost and a border of zeros, so
// that a convolution reads its input in place. Package backbone combines layers into networks.
package nn

import (
	"cmp"
	"runtime"
	"sync/atomic"

	"github.com/deepemd/deepemd/internal/kernel"
)

// Context holds the kernels, the number of threads and the scratch memory of a forward pass.
type Context struct {
	Kernels *kernel.Set
	Threads int // at least 1

	crew    *helpers
	scratch [2][]float32
	split   []uint32

	activations byteRows
}

// Split calls do for ranges that cover 0…n-1, on up to c.Threads goroutines, and returns when all
// calls have returned. The result for an index must not depend on its range.
func (c *Context) Split(n int, do func(from, to int)) {
	threads := min(c.Threads, n)
	if threads <= 1 {
		do(0, n)
		return
	}
	if c.crew == nil {
		c.crew = &helpers{}
	}
	c.crew.split(n, threads, do)
}

// Each calls do for 0…n-1, like [Context.Split].
func (c *Context) Each(n int, do func(i int)) {
	c.Split(n, func(from, to int) {
		for i := from; i < to; i++ {
			do(i)
		}
	})
}

// Buffer returns memory of at least n floats with any content; which is 0 or 1. The next layer may
// reuse it.
func (c *Context) Buffer(which, n int) []float32 {
	if len(c.scratch[which]) < n {
		c.scratch[which] = make([]float32, n)
	}
	return c.scratch[which]
}

// splitBuffer is [Context.Buffer] for split maps; it starts a cache line.
func (c *Context) splitBuffer(n int) []uint32 {
	if len(c.split) < n {
		c.split = kernel.Aligned[uint32](n)
	}
	return c.split
}

// Options are the settings of a network. The zero value is the fastest.
type Options struct {
	Threads   int         // limit; 0 for all cores
	LowMemory bool        // only direct convolutions, if possible: a fifth of the memory, half the speed
	Kernels   *kernel.Set // nil for the best set
}

// Context returns a context with the options.
func (o Options) Context() Context {
	c := Context{Kernels: cmp.Or(o.Kernels, kernel.Best()), Threads: o.Threads}
	if c.Threads <= 0 {
		c.Threads = runtime.GOMAXPROCS(0)
	}
	return c
}

// helpers is a set of goroutines that help with the work of a forward pass. A layer takes about ten
// microseconds, as long as waking a thread. Helpers therefore poll for the next layer's work for a
// while before they end.
type helpers struct {
	latest  atomic.Pointer[work]
	looking atomic.Int32 // helpers
}

// patience is a number of polls, each one or two nanoseconds. After it, a helper ends, and the
// goroutine that waits for helpers yields.
const patience = 1 << 15

// work is a range of indices 0…n-1 from which each goroutine takes parts. A thread that is not
// scheduled delays only the part that it has taken.
type work struct {
	n, threads  int
	do          func(from, to int)
	taken, done atomic.Int64
}

func (c *helpers) split(n, threads int, do func(from, to int)) {
	w := &work{n: n, threads: threads, do: do}
	c.latest.Store(w)
	for int(c.looking.Load()) < threads-1 {
		c.looking.Add(1)
		go c.run()
	}
	w.run()
	for looked := 1; int(w.done.Load()) < n; looked++ {
		if looked%patience == 0 {
			runtime.Gosched()
		}
	}
}

func (c *helpers) run() {
	defer c.looking.Add(-1)
	var last *work
	for looked := 0; looked < patience; looked++ {
		if w := c.latest.Load(); w != last {
			last, looked = w, 0
			w.run()
		}
	}
}

// run takes ranges of decreasing size, so that all goroutines finish at about the same time.
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
