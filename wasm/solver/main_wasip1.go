package main

import "unsafe"

var shared room

// arrange makes room for count problems of rows × cols and returns its address. What
// JavaScript held of the module's memory may have moved.
//
//go:wasmexport arrange
func arrange(count, rows, cols int32) unsafe.Pointer {
	return unsafe.Pointer(unsafe.SliceData(shared.arrange(int(count), int(rows), int(cols))))
}

// solve solves the problems in the room and returns how many: fewer than there are where
// fault and faultLength say what is wrong with the next.
//
//go:wasmexport solve
func solve(tolerance float64) int32 { return int32(shared.solve(tolerance)) }

// fault returns the address of the text that says why solve stopped, in UTF-8.
//
//go:wasmexport fault
func fault() unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(shared.fault)) }

// faultLength returns the bytes of that text.
//
//go:wasmexport faultLength
func faultLength() int32 { return int32(len(shared.fault)) }

// main is not run: the module is a library.
func main() {}
