package session

import (
	"slices"
	"sync"
)

// Watched tells of its changes. Every part of a session does.
type Watched interface {
	// Watch calls changed after every change, until cancel is called. Both may happen
	// on any goroutine.
	Watch(changed func()) (cancel func())
}

// part holds what every part of a session has: a lock for its state, and those who
// watch it.
type part struct {
	mu       sync.Mutex
	watchers []*watcher
}

type watcher struct{ changed func() }

// Watch implements [Watched].
func (p *part) Watch(changed func()) (cancel func()) {
	w := &watcher{changed}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.watchers = append(slices.Clip(p.watchers), w)
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.watchers = slices.DeleteFunc(slices.Clone(p.watchers), func(o *watcher) bool { return o == w })
	}
}

// update changes the state under the lock, and then tells the watchers.
func (p *part) update(change func()) {
	p.mu.Lock()
	change()
	tell := p.watchers
	p.mu.Unlock()
	for _, w := range tell {
		w.changed()
	}
}

// Progress is so many of all.
type Progress struct{ Done, All int }

func copied[T any](p *T) *T {
	if p == nil {
		return nil
	}
	c := *p
	return &c
}
