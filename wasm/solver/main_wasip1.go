package main

import "unsafe"

var shared sharedMemory

// arrange allocates room for count problems of rows × cols and returns its address. The module's
// memory may have moved: JavaScript must renew its views.
//
//go:wasmexport arrange
func arrange(count, rows, cols int32) unsafe.Pointer {
	return unsafe.Pointer(unsafe.SliceData(shared.arrange(int(count), int(rows), int(cols))))
}

// solve solves the problems in the room and returns the number of solved ones. If it is too low,
// fault and faultLength return the error of the next problem.
//
//go:wasmexport solve
func solve(tolerance float64) int32 { return int32(shared.solve(tolerance)) }

// fault returns the address of the error message in UTF-8.
//
//go:wasmexport fault
func fault() unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(shared.fault)) }

// faultLength returns the length of the error message in bytes.
//
//go:wasmexport faultLength
func faultLength() int32 { return int32(len(shared.fault)) }
