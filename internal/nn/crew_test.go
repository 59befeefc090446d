package nn

import (
	"sync/atomic"
	"testing"
)

// TestSplit sees each index once, however many threads share few or many of them, and work
// follow work.
func TestSplit(t *testing.T) {
	for _, threads := range []int{1, 2, 3, 8} {
		c := &Context{Threads: threads}
		for round := range 200 {
			n := round % 37
			seen := make([]int, n)
			var running, most atomic.Int32
			c.Split(n, func(from, to int) {
				most.Store(max(most.Load(), running.Add(1)))
				for i := from; i < to; i++ {
					seen[i]++
				}
				running.Add(-1)
			})
			for i, times := range seen {
				if times != 1 {
					t.Fatalf("%d threads, %d indices: %d was seen %d times", threads, n, i, times)
				}
			}
			if int(most.Load()) > threads {
				t.Fatalf("%d at a time, want at most %d", most.Load(), threads)
			}
		}
	}
}
