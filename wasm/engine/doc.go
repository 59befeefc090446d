// Command engine is the program in the Web Worker: it answers the requests that
// worker.js passes on. Build it with
//
//	GOOS=js GOARCH=wasm go build -ldflags "-s -w" -o deepemd.wasm ./wasm/engine
//
// with -tags sound for the one that hears instead of seeing, deepemd-sound.wasm; or, with all that is served beside it, with go run ./tools/build.
//
// What requests mean is in package host; here they only cross from JavaScript
// to Go and back. Pixels and weights cross as bulk copies, the rest as single
// values, and memory is reused, so that a live loop makes little garbage.
package main
