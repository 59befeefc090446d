package kernel

// Revisions count changes. A feature that depends on one follows the kernel and acts when the
// number has grown.
type Revisions struct {
	Examples int // examples, classes, or which of them are enabled
	Method   int // the method or the network, or an engine that was (re)started
	Document int // the saved part of the project
	Answer   int // the latest answer
	Shown    int // the picture on the stage, which ends the latest answer
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
