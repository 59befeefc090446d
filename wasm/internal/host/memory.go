package host

import (
	"runtime"
	"time"

	"github.com/deepemd/deepemd/wasm/internal/protocol"
)

func (h *Host) memory(collect bool) *protocol.MemoryUse {
	if collect {
		runtime.GC()
	}
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	m := &protocol.MemoryUse{Heap: s.HeapAlloc, Allocated: s.TotalAlloc, Collections: s.NumGC - h.collections}
	for i := range min(m.Collections, uint32(len(s.PauseNs))) {
		at := (s.NumGC - 1 - i) % uint32(len(s.PauseNs))
		m.WorstPauseMS = max(m.WorstPauseMS, float64(time.Duration(s.PauseNs[at]))/float64(time.Millisecond))
	}
	h.collections = s.NumGC
	return m
}
