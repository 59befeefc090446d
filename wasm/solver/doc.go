// Command solver is package solver as a WebAssembly module by itself, for pages that
// want optimal transport and no network. Build it with
//
//	GOOS=wasip1 GOARCH=wasm go build -buildmode=c-shared -ldflags "-s -w" -o deepemd-solver.wasm ./wasm/solver
//
// or, with all that is served beside it, with go run ./tools/build.
//
// The module is a library: wasm/npm/solver.js starts it with _initialize and calls its
// exports on whatever thread it is on. Problems and solutions lie in the module's memory,
// where JavaScript writes and reads them with typed arrays; nothing else crosses but
// sizes and addresses. It links neither syscall/js nor fmt, and asks the system around it,
// by the interface called WASI preview 1, for a clock, random numbers and a place for its
// last words.
package main
