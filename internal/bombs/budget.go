// Package bombs generates small files that are large or slow to read. They are valid, but claim
// more than honest files of their size. Tests check that readers reject them immediately.
package bombs

import (
	"flag"
	"runtime"
	"sync"
	"testing"
	"time"
)

// Allocated returns the bytes that the program allocates while f runs, including freed ones. Tests
// that use it must not run in parallel.
func Allocated(f func()) int64 {
	before := allocated()
	f()
	return int64(allocated() - before)
}

// Longest is the time limit for an input: five seconds in fuzzing, where inputs are small; two
// minutes in other tests, which have inputs of 10 MB and run under load.
var Longest = sync.OnceValue(func() time.Duration {
	for _, name := range []string{"test.fuzz", "test.fuzzworker"} {
		if f := flag.Lookup(name); f != nil && f.Value.String() != f.DefValue {
			return 5 * time.Second
		}
	}
	return 2 * time.Minute
})

// Budget runs f, the work of a fuzz target for an input of size bytes. It fails the test if f
// allocates more than base + perByte·size bytes or takes longer than [Longest]. Go's fuzzer itself
// keeps inputs that never end or use all memory.
func Budget(t testing.TB, base, perByte int64, size int, f func()) {
	t.Helper()
	most, since := base+perByte*int64(size), time.Now()
	if took := Allocated(f); took > most {
		t.Errorf("an input of %d bytes allocates %d bytes, more than %d", size, took, most)
	}
	if passed := time.Since(since); passed > Longest() {
		t.Errorf("an input of %d bytes takes %v, more than %v", size, passed, Longest())
	}
}

// allocated flushes the caches of all processors, which runtime/metrics leaves out. A garbage
// collection would count them later, as if f had allocated them.
func allocated() uint64 {
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.TotalAlloc
}
