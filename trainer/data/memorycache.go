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
