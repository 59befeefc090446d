package kernel

import (
	"slices"
	"time"

	"github.com/deepemd/deepemd/core/project"
)

// SaveInterval is how long after a save the next one begins: what changes fast, as while
// the capture button is held, is kept a few times a second.
const SaveInterval = 200 * time.Millisecond

// SaveLatest is how long a save waits at most for what a person waits for.
const SaveLatest = 2 * time.Second

// SaveStage says whether the store has the latest changes.
type SaveStage int

// The stages of saving.
const (
	Unsaved SaveStage = iota // nothing was changed yet, or there is no store
	Saving
	Saved
	SaveFailed
)

// Touch keeps the project, soon. It is called after every change.
func (p *Project) Touch() {
	start := false
	var unkept Store // that keeps nothing, and holds the examples
	p.Update(func() {
		p.K.revisions.Document++
		switch {
		case !p.state.Storable:
			unkept = p.store
		case !p.saving:
			p.saving, start = true, true
			p.state.Stage = Saving
		}
	})
	switch {
	case start:
		go p.saveWhileDirty()
	case unkept != nil:
		p.K.Classes.purge(unkept.Forget)
	}
}

// saveWhileDirty keeps the project until nothing has changed meanwhile.
func (p *Project) saveWhileDirty() {
	for again := true; again; {
		waitIdle(p.K.busy, SaveInterval, SaveLatest)
		p.switching.Lock()
		err := p.save()
		p.switching.Unlock()
		p.Update(func() {
			if again = p.dirty() && err == nil; !again {
				p.saving = false
			}
		})
		if again {
			time.Sleep(SaveInterval)
		}
	}
}

// flush keeps what has changed and is not kept yet.
func (p *Project) flush() error {
	p.switching.Lock()
	defer p.switching.Unlock()
	if _, revision := p.K.Classes.document(); !p.unsaved(revision) {
		return nil
	}
	return p.save()
}

// unsaved reports whether something has changed that can be kept and is not; the classes
// have the given revision.
func (p *Project) unsaved(revision int) bool {
	p.Lock()
	defer p.Unlock()
	return p.state.Storable && (p.dirty() || p.revision != revision)
}

// dirty reports whether something has changed since the project was kept. The lock is held.
func (p *Project) dirty() bool { return p.saved != p.K.revisions.Document }

// save keeps the project once. The lock switching is held.
func (p *Project) save() error {
	p.Lock()
	now := p.K.revisions.Document
	p.Unlock()
	doc, revision := p.document() // With what changes meanwhile, perhaps: that makes it dirty again.
	err := p.store.Save(doc)
	p.Update(func() {
		switch {
		case err != nil:
			p.state.Stage = SaveFailed
		case p.K.revisions.Document == now:
			p.state.Stage = Saved
		}
		if err == nil {
			p.revision, p.saved = revision, now
			p.listed(doc)
		}
	})
	p.K.Classes.purge(p.store.Forget) // also where the disk is full, for as long as it is
	if err != nil {
		p.K.Notices.Post(p.notSaved(err))
		return err
	}
	p.K.Notices.Dismiss(NoticeSave)
	return nil
}

// things counts the classes that are not of nothing.
func things(classes []project.Class) (n int) {
	for _, c := range classes {
		if !c.Nothing {
			n++
		}
	}
	return n
}

// listed puts a saved project at the head of the list. The lock is held.
func (p *Project) listed(doc Document) {
	info := ProjectInfo{
		ID: doc.ID, Name: doc.Name, Kind: doc.Kind, Classes: things(doc.Classes), Examples: doc.Examples(), Saved: doc.Saved,
	}
	rest := slices.DeleteFunc(slices.Clone(p.state.Kept), func(o ProjectInfo) bool { return o.ID == doc.ID })
	p.state.Kept = append([]ProjectInfo{info}, rest...)
}
