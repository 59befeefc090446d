// Package bombs makes small files that are large or slow to read: each is what its
// format allows, and says more than any honest file of its size. Tests hold readers to
// refusing them at once.
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

// Allocated runs f and returns the bytes that the program allocates until it returns,
// freed ones included. Tests that use it must not run in parallel.
func Allocated(f func()) int64 {
	// Unlike runtime/metrics, ReadMemStats flushes the caches of all processors. Otherwise
	// a garbage collection within f would add bytes that were allocated before it.
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return int64(after.TotalAlloc - before.TotalAlloc)
}

// Longest is how long an input may take: five seconds while targets are fuzzed, as their
// inputs are small; half a minute in a usual test, which many others may keep waiting.
var Longest = sync.OnceValue(func() time.Duration {
	for _, name := range []string{"test.fuzz", "test.fuzzworker"} {
		if f := flag.Lookup(name); f != nil && f.Value.String() != f.DefValue {
			return 5 * time.Second
		}
	}
	return 30 * time.Second
})

// Budget runs f, what a fuzz target does with an input of size bytes, and fails the test
// when it allocates more than base + perByte·size bytes, or takes longer than [Longest].
// What is far beyond either while f still runs ends the program with a panic: an input
// that never ends, or that takes all of the machine's memory, is found and kept as any
// other failure.
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

// running is what a target does now.
type running struct {
	since  time.Time
	before uint64
	most   int64
	size   int
}

// verdict says what is far beyond the budget; empty for nothing. The fuzzer itself and
// tests beside may have allocated some of it.
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

// watch looks after what runs, for as long as the program does.
func watch() {
	for now := range time.Tick(50 * time.Millisecond) {
		if r := watched.Load(); r != nil {
			if bad := r.verdict(now, allocated()); bad != "" && watched.Load() == r {
				panic(bad)
			}
		}
	}
}

func allocated() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
