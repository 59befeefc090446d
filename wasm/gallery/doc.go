// Command gallery is package core/gallery as a WebAssembly module by itself: the gallery
// of pictures that a page keeps and searches. Build it with
//
//	GOOS=wasip1 GOARCH=wasm go build -buildmode=c-shared -ldflags "-s -w" -o deepemd-gallery.wasm ./wasm/gallery
//
// or, with all that is served beside it, with go run ./tools/build.
//
// It runs in a worker of its own (wasm/npm/gallery-worker.js), so that pages without a
// gallery do not load it, and one that is searched does not wait for the engine. The
// engine embeds pictures; this program keeps their embeddings, as an index, and finds
// those that resemble another.
//
// What is asked and answered is JSON with numbers behind it, in memory that both sides
// see: see room. The index lies in the program's memory, and in the file that the worker
// holds, which the program writes by three functions that it imports: see file.
package main
