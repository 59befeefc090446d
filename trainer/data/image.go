package data

import (
	"cmp"
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/sound"
	"github.com/deepemd/deepemd/internal/cluster"
)

// Image returns the decoded image of a name that [Set.Find] resolves. Callers must not modify it,
// because the set may keep it for the next caller.
//
// # Errors
//
// The same as Find; *Damaged for a file that cannot be read or decoded. If damaged files are
// skipped (see [Set.Skip]), a class without a readable image is an error instead.
func (s *Set) Image(name string) (*imaging.Image, error) {
	p, err := s.Find(name)
	if err != nil {
		return nil, err
	}
	if on, _ := s.skips.skipping(p.Name); on {
		return s.replacement(p)
	}
	return s.load(p)
}

// replacement returns the first readable image of the class, starting at p and wrapping around.
func (s *Set) replacement(p Picture) (*imaging.Image, error) {
	class := s.pictures[p.Class]
	at, _ := slices.BinarySearchFunc(class, p, func(a, b Picture) int { return strings.Compare(a.Name, b.Name) })
	for i := range class {
		next := class[(at+i)%len(class)]
		if _, bad := s.skips.skipping(next.Name); bad {
			continue
		}
		img, err := s.load(next)
		if err == nil {
			return img, nil
		}
		damaged, ok := errors.AsType[*Damaged](err)
		if !ok {
			return nil, err
		}
		s.skips.add(damaged)
	}
	return nil, fmt.Errorf("%s: no image of class %s can be read: is the copy complete?", s.name, p.Class)
}

func (s *Set) load(p Picture) (*imaging.Image, error) {
	if img, kept := s.cache.images.Load(p.Name); kept {
		return img.(*imaging.Image), nil
	}
	img, err := s.read(p.Name)
	if err != nil {
		return nil, err
	}
	s.cache.put(p.Name, img)
	return img, nil
}

func (s *Set) read(name string) (*imaging.Image, error) {
	raw, err := s.source.read(name)
	if err != nil {
		return nil, &Damaged{s.name, name, err}
	}
	if s.suits != nil {
		if err := s.suits(raw); err != nil {
			return nil, &Damaged{s.name, name, err}
		}
	}
	decode := imaging.Decode
	if sound.Sniff(raw) {
		decode = sound.Picture // the spectrogram
	}
	img, err := decode(raw)
	if err != nil {
		return nil, &Damaged{s.name, name, err}
	}
	if imaging.Unconverted(raw) != nil {
		s.unconverted.Store(name, true)
	}
	if short := min(img.Width, img.Height); s.maxSide > 0 && short > s.maxSide {
		scaled := func(side int) int { return max(1, (side*s.maxSide+short/2)/short) }
		img = imaging.Resize(img, scaled(img.Width), scaled(img.Height))
	}
	return img, nil
}

// Restrict makes the set check the content of every file before it decodes it, such as for
// recordings where only images make sense. Image returns the error of the check as *Damaged.
func (s *Set) Restrict(suits func(raw []byte) error) { s.suits = suits }

// Unconverted returns the names of the pictures read so far whose color profiles are not applied,
// sorted.
func (s *Set) Unconverted() (names []string) {
	for name := range s.unconverted.Range {
		names = append(names, name.(string))
	}
	slices.Sort(names)
	return names
}

// LimitSide makes the set scale larger images down while decoding, so that their shorter side has
// at most the given number of pixels; 0 disables it. Call it before the first use of an image.
func (s *Set) LimitSide(side int) { s.maxSide = side }

// memoryCache keeps decoded images until it is full. It drops none, because episodes are random and
// all images are equally likely to be used again.
type memoryCache struct {
	room   atomic.Int64 // free bytes for pixels; 0 keeps nothing
	images sync.Map     // *imaging.Image, by name
}

// unknownMemory is the assumed memory size in bytes if the system does not report it.
const unknownMemory = 4 << 30

// KeepDecoded makes the set keep decoded images, in up to a quarter of the memory.
func (s *Set) KeepDecoded() {
	s.cache.room.Store(cmp.Or(cluster.Memory(), unknownMemory/int64(cluster.Neighbors())) / 4)
}

// put keeps an image if there is room.
func (c *memoryCache) put(name string, img *imaging.Image) {
	size := int64(len(img.Pix))
	kept := c.room.Add(-size) >= 0
	if kept {
		_, twice := c.images.LoadOrStore(name, img)
		kept = !twice
	}
	if !kept {
		c.room.Add(size)
	}
}

// Damaged is the error of an image that cannot be read or decoded.
type Damaged struct {
	Set, Name string
	Err       error
}

// Error names the set, the image and the cause.
func (e *Damaged) Error() string { return fmt.Sprintf("%s: %s: %v", e.Set, e.Name, e.Err) }

// Unwrap returns the cause.
func (e *Damaged) Unwrap() error { return e.Err }

func init() { gob.Register(&Damaged{}) }

// GobEncode implements gob.GobEncoder, so that the processes of a cluster can exchange the error.
func (e *Damaged) GobEncode() ([]byte, error) {
	return json.Marshal([3]string{e.Set, e.Name, e.Err.Error()})
}

// GobDecode implements gob.GobDecoder.
func (e *Damaged) GobDecode(raw []byte) error {
	var text [3]string
	err := json.Unmarshal(raw, &text)
	*e = Damaged{text[0], text[1], errors.New(text[2])}
	return err
}

// skips are the damaged images that the set replaces.
type skips struct {
	mu    sync.Mutex
	bad   map[string]bool // nil unless damaged images are replaced
	fresh []*Damaged      // not yet reported by Skipped
}

// Skip makes the set replace unreadable images: [Set.Image] then returns the next readable image of
// the class, wrapping around. The replacement depends only on the files. The named images are
// replaced without trying to read them, so that a resumed run uses the same images as before.
func (s *Set) Skip(names ...string) {
	s.skips.mu.Lock()
	defer s.skips.mu.Unlock()
	if s.skips.bad == nil {
		s.skips.bad = make(map[string]bool)
	}
	for _, name := range names {
		s.skips.bad[name] = true
	}
}

// Skipped returns the images that were replaced since the previous call, each once, sorted by name.
func (s *Set) Skipped() []*Damaged {
	s.skips.mu.Lock()
	defer s.skips.mu.Unlock()
	fresh := s.skips.fresh
	s.skips.fresh = nil
	slices.SortFunc(fresh, func(a, b *Damaged) int { return strings.Compare(a.Name, b.Name) })
	return fresh
}

// AnySkipped reports whether Skipped would return any image.
func (s *Set) AnySkipped() bool {
	s.skips.mu.Lock()
	defer s.skips.mu.Unlock()
	return len(s.skips.fresh) > 0
}

// skipping reports whether damaged images are replaced, and whether this one is known to be
// damaged.
func (k *skips) skipping(name string) (on, bad bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.bad != nil, k.bad[name]
}

func (k *skips) add(d *Damaged) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if !k.bad[d.Name] {
		k.bad[d.Name] = true
		k.fresh = append(k.fresh, d)
	}
}
