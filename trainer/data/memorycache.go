package data

import (
	"sync"

	"github.com/deepemd/deepemd/core/imaging"
)

// memoryCache keeps decoded pictures until it is full. Episodes are drawn at random,
// so that no picture deserves its place more than another and none is dropped.
type memoryCache struct {
	mu     sync.RWMutex
	room   int64 // bytes of pixels that may still be kept
	images map[string]*imaging.Image
}

// unknownMemory is the size in bytes assumed of a memory whose size the system does not tell.
const unknownMemory = 4 << 30

// KeepDecoded makes the set keep the pictures that it decodes in memory, until their
// pixels take a quarter of it. It keeps none until then.
func (s *Set) KeepDecoded() {
	room := Memory()
	if room == 0 {
		room = unknownMemory
	}
	s.cache.allow(room / 4)
}

func (c *memoryCache) allow(limit int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.room = limit
	c.images = make(map[string]*imaging.Image)
}

func (c *memoryCache) get(name string) *imaging.Image {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.images[name]
}

func (c *memoryCache) put(name string, img *imaging.Image) {
	c.mu.Lock()
	defer c.mu.Unlock()
	size := int64(len(img.Pix))
	if c.images == nil || c.images[name] != nil || size > c.room {
		return
	}
	c.room -= size
	c.images[name] = img
}
