//go:build amd64 || arm64

package kernel

import "unsafe"

// ahead is what the kernels of a product ask for before it is used: the panel of B that
// follows the one they multiply. Only the first call for a panel waits for memory; the
// others find it in a cache, and memory would rest meanwhile.
type ahead struct {
	next, end uintptr // no pointers: the last panel is followed by anything
	step      int     // bytes for each step of k
}

// panelAfter is what follows a panel of k rows of some bytes, shared evenly among the
// calls of a kernel that multiply it.
func panelAfter(panel unsafe.Pointer, k, bytes, calls int) ahead {
	next := uintptr(panel) + uintptr(k*bytes)
	return ahead{next: next, end: next + uintptr(k*bytes), step: (bytes + calls - 1) / calls}
}

// advance notes that a call went through all steps of k. Beyond the panel nothing is asked for.
func (a *ahead) advance(k int) {
	if a.next += uintptr(k * a.step); a.next >= a.end {
		a.next, a.step = a.end, 0
	}
}
