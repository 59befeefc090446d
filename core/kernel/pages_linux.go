package kernel

import (
	"syscall"
	"unsafe"
)

// inLargePages asks the system for large pages for values, as far as they fill them. Where
// it has none, they are only read more slowly.
func inLargePages(values []float32) {
	const size, hugePage = 2 << 20, 14 // of a large page in bytes, and MADV_HUGEPAGE
	all := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(values))), 4*len(values))
	from := int(-uintptr(unsafe.Pointer(unsafe.SliceData(values))) % size)
	to := from + (len(all)-from)/size*size
	if from < to {
		syscall.Madvise(all[from:to], hugePage)
	}
}
