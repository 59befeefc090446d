package imaging

import (
	"fmt"
	"sync"
)

// Limits on the memory that decoding takes, absolute and relative to the size of the file. A file
// of 36 bytes can claim 67 million pixels.
const (
	// maxMemory suffices for MaxPixels of any common kind of JPEG.
	maxMemory = 768 << 20
	// freeMemory is allowed for any file: 39 million pixels of PNG (a page of text at 600 dots per
	// inch), 26 of JPEG, 10 of lossless WebP.
	freeMemory = 112 << 20
	// memoryPerByte is allowed in addition. At this rate 50 million pixels of a phone need 1.5 MB,
	// a quarter bit per pixel.
	memoryPerByte = 200
)

// checkMemory returns an error if decoding width×height pixels would take more memory than a file
// of size bytes may.
func checkMemory(width, height int, memory int64, size int) error {
	limit := min(int64(freeMemory)+memoryPerByte*int64(size), maxMemory)
	if memory <= limit {
		return nil
	}
	return fmt.Errorf("%w: %d×%d pixels in a file of %d bytes would take %d MB to decode, the limit for it is %d MB; scale it down first",
		ErrTooLarge, width, height, size, memory>>20+1, limit>>20)
}

// inFlight is the memory of all pictures being decoded.
var inFlight = newSemaphore(maxMemory)

// semaphore is weighted. Callers wait in turn, so that large parts do not starve.
type semaphore struct {
	mu          sync.Mutex
	changed     *sync.Cond
	most, taken int64
	last, turn  uint64 // tickets: the next one to issue, and the current one
}

func newSemaphore(most int64) *semaphore {
	s := &semaphore{most: most}
	s.changed = sync.NewCond(&s.mu)
	return s
}

// acquire waits for its turn and until n is free. n is at most s.most.
func (s *semaphore) acquire(n int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	ticket := s.last
	s.last++
	for s.turn != ticket || s.taken+n > s.most {
		s.changed.Wait()
	}
	s.taken += n
	s.turn++
	s.changed.Broadcast()
}

// release returns n.
func (s *semaphore) release(n int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.taken -= n
	s.changed.Broadcast()
}
