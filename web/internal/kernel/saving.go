package kernel

import (
	"slices"
	"time"
)

// SaveInterval is the pause between saves. Examples of a held button are saved a few times a
// second.
const SaveInterval = 200 * time.Millisecond

// SaveLatest is the maximum time that a save waits for work that the user waits for.
const SaveLatest = 2 * time.Second

// SaveStage reports whether the latest changes are saved.
type SaveStage int

// The stages of saving.
const (
	Unsaved SaveStage = iota // no changes yet, or no store
	Saving
	Saved
	SaveFailed
)

// Touch saves the project soon. It is called after every change.
func (p *Project) Touch() {
	start := false
	var unkept Store // a store that only holds the examples in memory
	p.Update(func() {
		p.K.revisions.Document++
		if !p.state.Storable {
			unkept = p.store
			return
		}
		start, p.saving = !p.saving, true
		p.state.Stage = Saving // even if a save has just ended whose loop still runs
	})
	switch {
	case start:
		go p.saveWhileDirty()
	case unkept != nil:
		p.K.Classes.purge(unkept.Forget)
	}
}

// saveWhileDirty saves the project until there are no further changes.
func (p *Project) saveWhileDirty() {
	for again := true; again; {
		waitIdle(p.K.busy, SaveInterval, SaveLatest)
		err := p.Flush()
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

// Flush saves unsaved changes at once: the page may be left.
func (p *Project) Flush() error {
	p.switching.Lock()
	defer p.switching.Unlock()
	if p.unsaved() {
		return p.save()
	}
	return nil
}

// unsaved reports whether there are changes that the store can save.
func (p *Project) unsaved() bool {
	p.Lock()
	defer p.Unlock()
	return p.state.Storable && p.dirty()
}

// dirty reports whether the project has changed since it was saved. A save would restore a removed project. The lock is
// held.
func (p *Project) dirty() bool { return p.saved != p.K.revisions.Document && p.state.ID != p.removed }

// save saves the project. The lock switching is held.
func (p *Project) save() error {
	now := Get(&p.Part, &p.K.revisions.Document)
	doc := p.document() // may include later changes, which make it dirty again
	err := p.store.Save(doc)
	p.Update(func() {
		switch {
		case err != nil:
			p.state.Stage = SaveFailed
		case p.K.revisions.Document == now:
			p.state.Stage = Saved
		}
		if err == nil {
			p.saved = now
			p.moveToFront(doc)
		}
	})
	p.K.Classes.purge(p.store.Forget) // even if the disk is full
	if err != nil {
		p.K.Notices.Post(p.notSaved(err))
		return err
	}
	p.K.Notices.Dismiss(NoticeSave)
	return nil
}

// moveToFront moves a saved project to the head of the list. The lock is held.
func (p *Project) moveToFront(doc Document) {
	rest := slices.DeleteFunc(slices.Clone(p.state.Kept), func(o ProjectInfo) bool { return o.ID == doc.ID })
	p.state.Kept = append([]ProjectInfo{doc.Info()}, rest...)
}
