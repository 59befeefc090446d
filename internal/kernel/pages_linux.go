package kernel

import (
	"syscall"
	"unsafe"
)

// inLargePages asks the system for large pages for all, as far as it fills them. Where
// there are none, it is only read more slowly.
func inLargePages(all []byte) {
	const size, hugePage = 2 << 20, 14 // of a large page in bytes, and MADV_HUGEPAGE
	from := int(-uintptr(unsafe.Pointer(unsafe.SliceData(all))) % size)
	to := from + (len(all)-from)/size*size
	if from < to {
		syscall.Madvise(all[from:to], hugePage)
	}
}
