// Command engine is the program in the Web Worker. It answers the requests that worker.js passes on.
// Build it with
//
//	GOOS=js GOARCH=wasm go build -ldflags "-s -w" -o deepemd.wasm ./wasm/engine
//
// with -tags sound for the variant for sounds, deepemd-sound.wasm; go run ./tools/build builds both
// with the files that they need.
//
// Package host implements the requests. This package converts them between JavaScript and Go: pixels
// and weights as bulk copies, other values singly. It reuses memory, so that a live loop makes little
// garbage.
package main
