package main

import (
	"runtime"
	"unsafe"
)

var shared = sharedMemory{keeper: session{file: file{}}}

// arrange allocates the given number of bytes and returns their address. The module's memory may have
// moved: JavaScript must renew its views.
//
//go:wasmexport arrange
func arrange(bytes int32) unsafe.Pointer {
	return unsafe.Pointer(unsafe.SliceData(shared.arrange(int(bytes))))
}

// ask answers the request in the room: JSON with the given number of bytes, and its values. It
// returns the length of the answer in bytes; the function answer returns its address.
//
//go:wasmexport ask
func ask(text int32) int32 { return int32(len(shared.answer(int(text)))) }

// answer returns the address of the last answer, JSON in UTF-8.
//
//go:wasmexport answer
func answer() unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(shared.said)) }

// compacted returns the address of the result of the request compact.
//
//go:wasmexport compacted
func compacted() unsafe.Pointer {
	return unsafe.Pointer(unsafe.SliceData(shared.keeper.compacted.Bytes))
}

type file struct{}

// WriteAt implements gallery.Store.
func (file) WriteAt(p []byte, at int64) (int, error) {
	defer runtime.KeepAlive(p)
	return len(p), outcome(fileWrite(unsafe.Pointer(unsafe.SliceData(p)), int32(len(p)), float64(at)))
}

// Sync implements gallery.Store.
func (file) Sync() error { return outcome(fileSync()) }

// Truncate implements gallery.Store.
func (file) Truncate(size int64) error { return outcome(fileTruncate(float64(size))) }

// outcome converts the result of an imported function. The worker has the cause of a failure.
func outcome(failed int32) error {
	if failed != 0 {
		return errFile
	}
	return nil
}

//go:wasmimport file write
func fileWrite(from unsafe.Pointer, length int32, at float64) int32

//go:wasmimport file sync
func fileSync() int32

//go:wasmimport file truncate
func fileTruncate(size float64) int32
