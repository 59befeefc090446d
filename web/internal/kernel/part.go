package kernel

import "slices"

// Watched tells of its changes. Every part of a session does.
type Watched interface {
	// Watch calls changed after every change, until cancel is called. Both may happen
	// on any goroutine.
	Watch(changed func()) (cancel func())
}

// part is what every part of a session is made of: it belongs to a session, whose lock it
// shares, and tells those who watch it.
type part struct {
	k        *Kernel
	watchers []*watcher
}

type watcher struct{ changed func() }

func (p *part) lock()   { p.k.mu.Lock() }
func (p *part) unlock() { p.k.mu.Unlock() }

// Watch implements [Watched].
func (p *part) Watch(changed func()) (cancel func()) {
	w := &watcher{changed}
	p.lock()
	defer p.unlock()
	p.watchers = append(slices.Clip(p.watchers), w)
	return func() {
		p.lock()
		defer p.unlock()
		p.watchers = slices.DeleteFunc(slices.Clone(p.watchers), func(o *watcher) bool { return o == w })
	}
}

// update changes the state under the lock. Then it tells those who watch the part and, if
// a revision has grown, those who follow the kernel.
func (p *part) update(change func()) {
	p.lock()
	before := p.k.revisions
	change()
	tell, grown := p.watchers, p.k.revisions != before
	p.unlock()
	for _, w := range tell {
		w.changed()
	}
	if grown {
		p.k.follow()
	}
}

// news returns by how much each revision has grown since it was last asked with seen,
// which it brings up to date.
func (p *part) news(seen *Revisions) Revisions {
	p.lock()
	defer p.unlock()
	now := p.k.revisions
	grown := Revisions{
		Examples: now.Examples - seen.Examples, Method: now.Method - seen.Method, Document: now.Document - seen.Document,
		Answer: now.Answer - seen.Answer, Shown: now.Shown - seen.Shown, Project: now.Project - seen.Project,
	}
	*seen = now
	return grown
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
