package kernel

// Revisions are numbers that grow with changes of what others depend on. Whoever depends on
// one follows the kernel, and acts when the number is another than it knows.
type Revisions struct {
	Examples int // the examples, the classes, or which of them count
	Method   int // how the engine recognizes, or that there is an engine (again)
	Document int // what is kept of the project
	Answer   int // the latest answer
	Shown    int // what answers were about is shown no more
	Project  int // which project is open
}

// Grow lets revisions grow, and has everybody act who follows them.
func (k *Kernel) Grow(change func(*Revisions)) {
	k.mu.Lock()
	change(&k.revisions)
	k.mu.Unlock()
	k.follow()
}

// Follow has f called after every growth of a revision, without the lock. It asks
// [Part.News] what has grown.
func (k *Kernel) Follow(f func()) { k.followers = append(k.followers, f) }

// follow has everybody act who depends on a revision. It is called after every growth of one,
// without the lock.
func (k *Kernel) follow() {
	for _, f := range k.followers {
		f()
	}
}
