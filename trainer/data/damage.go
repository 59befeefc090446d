package data

import (
	"fmt"
	"slices"
	"strings"
	"sync"
)

// Damaged is the error of a picture that cannot be read or decoded.
type Damaged struct {
	Set, Name string
	Err       error
}

// Error names the picture, its set and what is wrong with it.
func (e *Damaged) Error() string { return fmt.Sprintf("%s: %s: %v", e.Set, e.Name, e.Err) }

// Unwrap returns what reading the picture gave.
func (e *Damaged) Unwrap() error { return e.Err }

// skips knows the pictures that are passed over.
type skips struct {
	mu    sync.Mutex
	on    bool
	bad   map[string]bool
	fresh []*Damaged // not yet told
}

// Skip makes the set pass over pictures that cannot be read: in the place of such a
// one, [Set.Image] gives the next picture of its class that can be, the first
// one following the last. Which one that is depends on the files alone. Those that
// are named are passed over untried, as a run that is continued wants what it did
// before.
func (s *Set) Skip(names ...string) {
	s.skips.mu.Lock()
	defer s.skips.mu.Unlock()
	s.skips.on = true
	if s.skips.bad == nil {
		s.skips.bad = make(map[string]bool)
	}
	for _, name := range names {
		s.skips.bad[name] = true
	}
}

// Skipped returns the pictures that were passed over since it was last asked, each
// once, by name.
func (s *Set) Skipped() []*Damaged {
	s.skips.mu.Lock()
	defer s.skips.mu.Unlock()
	fresh := s.skips.fresh
	s.skips.fresh = nil
	slices.SortFunc(fresh, func(a, b *Damaged) int { return strings.Compare(a.Name, b.Name) })
	return fresh
}

// AnySkipped reports whether Skipped would return any.
func (s *Set) AnySkipped() bool {
	s.skips.mu.Lock()
	defer s.skips.mu.Unlock()
	return len(s.skips.fresh) > 0
}

// skipping reports whether damaged pictures are passed over, and whether this one
// is known to be.
func (k *skips) skipping(name string) (on, bad bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.on, k.bad[name]
}

// add passes over a picture from now on.
func (k *skips) add(d *Damaged) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if !k.bad[d.Name] {
		k.bad[d.Name] = true
		k.fresh = append(k.fresh, d)
	}
}
