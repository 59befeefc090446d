package kernel

import "slices"

// Watched notifies watchers of its changes. Every [Part] implements it.
type Watched interface {
	// Watch calls changed after every change until cancel is called. Both may happen on any
	// goroutine.
	Watch(changed func()) (cancel func())
}

// Part is embedded in every type that holds state, in the kernel and in features. It shares
// the kernel's lock and notifies watchers.
type Part struct {
	K        *Kernel
	watchers []*func()
}

// Lock takes the kernel's lock. Methods of the kernel take it themselves, unless their
// comments say that it is held. Inlining it at its many callers would enlarge the download.
//
//go:noinline
func (p *Part) Lock() { p.K.mu.Lock() }

// Unlock gives the kernel's lock back. See Lock.
//
//go:noinline
func (p *Part) Unlock() { p.K.mu.Unlock() }

// Get returns the value of a field under the lock.
func Get[T any](p *Part, field *T) T {
	p.Lock()
	defer p.Unlock()
	return *field
}

// Watch implements [Watched].
func (p *Part) Watch(changed func()) (cancel func()) {
	p.Lock()
	defer p.Unlock()
	p.watchers = append(slices.Clip(p.watchers), &changed)
	return func() {
		p.Lock()
		defer p.Unlock()
		p.watchers = slices.DeleteFunc(slices.Clone(p.watchers), func(o *func()) bool { return o == &changed })
	}
}

// Update changes the state under the lock. Then it notifies the part's watchers and, if a
// revision has grown, the kernel's followers.
func (p *Part) Update(change func()) {
	p.Lock()
	before := p.K.revisions
	change()
	tell, grown := p.watchers, p.K.revisions != before
	p.Unlock()
	for _, w := range tell {
		(*w)()
	}
	if grown {
		p.K.follow()
	}
}

// News returns the growth of each revision since seen, and sets seen to the present
// revisions.
func (p *Part) News(seen *Revisions) Revisions {
	p.Lock()
	defer p.Unlock()
	now := p.K.revisions
	grown := Revisions{
		Examples: now.Examples - seen.Examples, Method: now.Method - seen.Method, Document: now.Document - seen.Document,
		Answer: now.Answer - seen.Answer, Shown: now.Shown - seen.Shown, Project: now.Project - seen.Project,
	}
	*seen = now
	return grown
}

// Progress counts completed items. A pointer to one is to a value that does not change.
type Progress struct{ Done, All int }
