package wasm

import (
	"runtime"
	"time"
)

// Memory says what the engine's program holds, and how often and how long it stood
// still to tidy up since it was last asked.
type Memory struct {
	Heap         uint64 // bytes in use, garbage that was not collected yet among them
	Allocated    uint64 // bytes in all since the start
	Collections  uint32
	WorstPauseMS float64
}

// observer remembers what was told before.
type observer struct{ collections uint32 }

func (o *observer) memory() *Memory {
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	m := &Memory{Heap: s.HeapAlloc, Allocated: s.TotalAlloc, Collections: s.NumGC - o.collections}
	for i := range min(m.Collections, uint32(len(s.PauseNs))) {
		at := (s.NumGC - 1 - i) % uint32(len(s.PauseNs))
		m.WorstPauseMS = max(m.WorstPauseMS, float64(time.Duration(s.PauseNs[at]))/float64(time.Millisecond))
	}
	o.collections = s.NumGC
	return m
}
