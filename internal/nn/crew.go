package nn

import (
	"runtime"
	"sync/atomic"
)

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
