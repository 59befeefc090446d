// Package bombs generates small files that are large or slow to read. They are valid, but claim
// more than honest files of their size. Tests check that readers reject them immediately.
package bombs

import (
	"flag"
	"fmt"
	"runtime"
	"runtime/metrics"
	"sync"
	"sync/atomic"
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

// Longest is the time limit for an input: five seconds in fuzzing, where inputs are small; half a
// minute in other tests, which run under load.
var Longest = sync.OnceValue(func() time.Duration {
	for _, name := range []string{"test.fuzz", "test.fuzzworker"} {
		if f := flag.Lookup(name); f != nil && f.Value.String() != f.DefValue {
			return 5 * time.Second
		}
	}
	return 30 * time.Second
})

// Budget runs f, the work of a fuzz target for an input of size bytes. It fails the test if f
// allocates more than base + perByte·size bytes or takes longer than [Longest]. If f exceeds a
// limit by far, the program panics, so that the fuzzer also keeps inputs that never end or use all
// memory.
func Budget(t testing.TB, base, perByte int64, size int, f func()) {
	t.Helper()
	most := base + perByte*int64(size)
	r := &running{since: time.Now(), before: allocated(), most: most, size: size}
	watching.Do(func() { go watch() })
	watched.Store(r)
	f()
	watched.CompareAndSwap(r, nil)
	if took := int64(allocated() - r.before); took > most {
		t.Errorf("an input of %d bytes allocates %d bytes, more than %d", size, took, most)
	}
	if passed := time.Since(r.since); passed > Longest() {
		t.Errorf("an input of %d bytes takes %v, more than %v", size, passed, Longest())
	}
}

type running struct {
	since  time.Time
	before uint64
	most   int64
	size   int
}

// verdict describes how a call far exceeds its budget, or returns "". The fuzzer itself and other
// tests may have allocated some of the memory.
func (r *running) verdict(now time.Time, allocated uint64) string {
	const others, times = 1 << 30, 4
	if passed := now.Sub(r.since); passed > times*Longest() {
		return fmt.Sprintf("an input of %d bytes has not ended after %v", r.size, passed)
	}
	if took := int64(allocated - r.before); took > times*r.most+others {
		return fmt.Sprintf("an input of %d bytes has allocated %d bytes and goes on, more than %d", r.size, took, r.most)
	}
	return ""
}

var (
	watching sync.Once
	watched  atomic.Pointer[running]
)

// watch checks the current call until the program ends.
func watch() {
	// Unlike allocated, metrics.Read does not stop the program.
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	for now := range time.Tick(50 * time.Millisecond) {
		if r := watched.Load(); r != nil {
			metrics.Read(sample)
			if bad := r.verdict(now, sample[0].Value.Uint64()); bad != "" && watched.Load() == r {
				panic(bad)
			}
		}
	}
}

// allocated flushes the caches of all processors, which runtime/metrics leaves out. A garbage
// collection would count them later, as if f had allocated them.
func allocated() uint64 {
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.TotalAlloc
}
