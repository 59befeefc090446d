package protocol

// Memory asks, for measurements, what memory the program holds.
//
//deepemd:request
type Memory struct {
	Collect bool `wire:"collect,omitempty"` // first, so that garbage does not count
}

// MemoryReply is what the engine's program holds, and how often and how long it
// stood still to tidy up since it was last asked.
type MemoryReply struct {
	Heap         uint64 // bytes in use, garbage that was not collected yet among them
	Allocated    uint64 // bytes in all since the start
	Collections  uint32
	WorstPauseMS float64
	_            struct{} `wire:"wasm" ts:"number"` // bytes of the program's memory
}

// Crash has the program fail, for tests.
//
//deepemd:request
type Crash struct {
	How string `ts:"\"panic\" | \"memory\" | \"exit\" | \"hang\""`
}
