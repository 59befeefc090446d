package kernel

import (
	"syscall"
	"unsafe"
)

// inLargePages requests huge pages for the aligned part of the memory. If the system has none,
// reads are only slower.
func inLargePages(all []byte) {
	const size, hugePage = 2 << 20, 14
	from := int(-uintptr(unsafe.Pointer(unsafe.SliceData(all))) % size)
	to := from + (len(all)-from)/size*size
	if from < to {
		syscall.Madvise(all[from:to], hugePage)
	}
}
