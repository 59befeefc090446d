package host

import (
	"runtime"
	"time"

	"github.com/deepemd/deepemd/wasm/internal/protocol"
)

// observer stores the number of garbage collections at the last request.
type observer struct{ collections uint32 }

func (o *observer) memory(collect bool) *protocol.MemoryUse {
	if collect {
		runtime.GC()
	}
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	m := &protocol.MemoryUse{Heap: s.HeapAlloc, Allocated: s.TotalAlloc, Collections: s.NumGC - o.collections}
	for i := range min(m.Collections, uint32(len(s.PauseNs))) {
		at := (s.NumGC - 1 - i) % uint32(len(s.PauseNs))
		m.WorstPauseMS = max(m.WorstPauseMS, float64(time.Duration(s.PauseNs[at]))/float64(time.Millisecond))
	}
	o.collections = s.NumGC
	return m
}
