// Command solver is package solver as a WebAssembly module, for pages that need optimal transport
// without a network. Build it with
//
//	GOOS=wasip1 GOARCH=wasm go build -buildmode=c-shared -ldflags "-s -w" -o deepemd-solver.wasm ./wasm/solver
//
// or, with all files that it needs, with go run ./tools/build.
//
// The module is a library: wasm/npm/solver.js starts it with _initialize and calls its exports on its
// own thread. Problems and solutions are in the module's memory, which JavaScript accesses with typed
// arrays; calls pass only sizes and addresses. The module links neither syscall/js nor fmt. It uses
// WASI preview 1 for a clock, random numbers and crash reports.
package main

// main does not run in a page: the module is a library.
func main() {
	panic("solver: build it with GOOS=wasip1 GOARCH=wasm and -buildmode=c-shared, or run `go run ./tools/build`")
}
