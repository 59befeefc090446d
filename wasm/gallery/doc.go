// Command gallery is package core/gallery as a WebAssembly module: the picture gallery that a page
// stores and searches. Build it with
//
//	GOOS=wasip1 GOARCH=wasm go build -buildmode=c-shared -ldflags "-s -w" -o deepemd-gallery.wasm ./wasm/gallery
//
// or, with all files that it needs, with go run ./tools/build.
//
// It runs in a separate worker (wasm/npm/gallery-worker.js): pages without a gallery do not load it,
// and a search does not wait for the engine. The engine embeds pictures; this program stores the
// embeddings in an index and searches them.
//
// Requests and answers are JSON followed by numbers, in shared memory: see room. The index is in the
// program's memory and in the worker's file, which the program writes through three imported
// functions: see file.
package main

// main does not run in a page: the module is a library.
func main() {
	panic("gallery: build it with GOOS=wasip1 GOARCH=wasm and -buildmode=c-shared, or run `go run ./tools/build`")
}
