package imaging

import (
	"fmt"
	"sync"
)

// What decoding may cost. Formats of pictures are so good at saying little that 36 bytes
// can stand for 67 million pixels: the limits are on the memory that decoding takes, of
// itself and against the size of the file.
const (
	// maxMemory is enough for MaxPixels as a JPEG of any common kind.
	maxMemory = 768 << 20
	// freeMemory goes with any file: up to 39 million pixels of PNG, which is a page of
	// text at 600 dots an inch, 26 of JPEG, 10 of lossless WebP, however well they compress.
	freeMemory = 112 << 20
	// memoryPerByte of the file comes in addition: 50 million pixels of a phone need 1.5 MB,
	// a quarter of a bit a pixel.
	memoryPerByte = 200
)

// checkMemory refuses pictures of so many pixels, in a file of size bytes, whose decoding
// would take more memory than such a file should.
func checkMemory(width, height int, memory int64, size int) error {
	limit := min(int64(freeMemory)+memoryPerByte*int64(size), maxMemory)
	if memory <= limit {
		return nil
	}
	return fmt.Errorf("%w: %d×%d pixels in a file of %d bytes would take %d MB to decode, the limit for it is %d MB; scale it down first",
		ErrTooLarge, width, height, size, memory>>20+1, limit>>20)
}

// inFlight is the memory of all pictures that are being decoded, by any number of
// goroutines.
var inFlight = newShare(maxMemory)

// share is an amount of which many take parts. Who comes when too little is left waits,
// in turn, so that large parts do not wait for ever behind small ones.
type share struct {
	mu          sync.Mutex
	changed     *sync.Cond
	most, taken int64
	last, turn  uint64 // tickets: the next one to give out, and whose turn it is
}

func newShare(most int64) *share {
	s := &share{most: most}
	s.changed = sync.NewCond(&s.mu)
	return s
}

// take waits for a part and takes it; n is at most s.most.
func (s *share) take(n int64) {
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

// give gives a part back.
func (s *share) give(n int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.taken -= n
	s.changed.Broadcast()
}
