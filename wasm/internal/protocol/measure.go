package protocol

// Memory measures the program's memory.
type Memory struct {
	Collect bool `wire:"collect,omitempty"` // collect garbage first
}

// MemoryUse is the memory of the engine's program, and its garbage collections since the
// last request.
type MemoryUse struct {
	Heap         uint64 // bytes in use, including garbage
	Allocated    uint64 // bytes allocated since the start
	Collections  uint32
	WorstPauseMS float64
	_            struct{} `wire:"wasm" ts:"number"` // size of the WebAssembly memory in bytes
}

// Crash makes the program fail, for tests.
type Crash struct {
	How string `ts:"\"panic\" | \"memory\" | \"exit\" | \"hang\""`
}
