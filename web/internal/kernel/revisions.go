package kernel

// Revisions are numbers that grow with changes of what features depend on. A feature that
// depends on one follows the kernel, and acts when the number has grown.
type Revisions struct {
	Examples int // the examples, the classes, or which of them count
	Method   int // how the engine recognizes, or that there is an engine (again)
	Document int // the part of the project that is saved
	Answer   int // the latest answer
	Shown    int // the end of showing what answers were about
	Project  int // the open project
}

// Grow increases revisions, then calls the followers.
func (k *Kernel) Grow(change func(*Revisions)) {
	k.mu.Lock()
	change(&k.revisions)
	k.mu.Unlock()
	k.follow()
}

// Follow registers f. The kernel calls it without the lock after a revision has grown, and f
// asks [Part.News] which.
func (k *Kernel) Follow(f func()) { k.followers = append(k.followers, f) }

// follow calls the followers. The lock is not held.
func (k *Kernel) follow() {
	for _, f := range k.followers {
		f()
	}
}
