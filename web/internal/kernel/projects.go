package kernel

import (
	"strings"

	"github.com/deepemd/deepemd/web/internal/texts"
)

// Rename renames the open project, unless the name is blank.
func (p *Project) Rename(name string) {
	name = strings.TrimSpace(name)
	changed := false
	p.Update(func() {
		if changed = name != "" && name != p.state.Name; changed {
			p.state.Name = name
		}
	})
	if changed {
		p.Touch()
	}
}

// change runs an operation on projects once the store is ready, one at a time, and reports its
// error.
func (p *Project) change(do func() error) {
	<-p.storeKnown
	p.changing.Lock()
	defer p.changing.Unlock()
	if Get(&p.Part, &p.store) == nil {
		p.K.Notices.Post(notKept(&Error{Code: CodeNoStore, Message: "the browser keeps nothing for this page"}))
		return
	}
	p.K.Capture.Release()
	err := do()
	if err == nil && p.State().Storable {
		err = p.refresh()
	}
	if err != nil {
		p.K.Notices.Post(projectTrouble(err))
	}
}

func (p *Project) refresh() error {
	kept, err := p.store.Projects()
	if err == nil {
		kept = p.ofKind(kept)
		p.Update(func() { p.state.Kept = kept })
	}
	return err
}

func (p *Project) open(id string) error {
	doc, err := p.store.Open(id)
	if err != nil {
		return err
	}
	if err := p.refresh(); err != nil { // the list may lack it, as a copy
		return err
	}
	doc.ID = id
	return p.show(doc, false)
}

// New starts a project with two empty classes.
func (p *Project) New() { go p.change(func() error { return p.begin(p.Fresh()) }) }

// BeginWith starts the project that describe returns.
func (p *Project) BeginWith(describe func() Document) {
	go p.change(func() error {
		err := p.begin(describe())
		if err == nil {
			p.Touch()
		}
		return err
	})
}

func (p *Project) begin(doc Document) error {
	p.store.Begin()
	return p.show(doc, false)
}

// Open opens a saved project.
func (p *Project) Open(id string) {
	go p.change(func() error {
		if id == p.State().ID {
			return nil
		}
		if err := p.open(id); err != nil {
			p.K.Notices.Post(projectNotOpened(p.nameOf(id), err))
		}
		return nil
	})
}

// openFile opens a project file as a new project. If it cannot be opened, nothing changes.
func (p *Project) openFile(file File) error {
	doc, err := p.store.ReadFile(file, p.written)
	p.Update(func() { p.state.Writing = nil })
	if err == nil && doc.Kind != p.kind {
		err = &Error{Code: CodeOtherKind, Message: "a project of the other kind"}
	}
	if err != nil {
		p.K.Notices.Post(fileNotOpened(file.Name, err))
		return nil
	}
	p.K.Notices.Dismiss(NoticeProject)
	doc.ID, doc.Name = newProjectID(), p.Unused(doc.Name)
	if err := p.show(doc, true); err != nil {
		return err
	}
	if doc.Examples() == 0 {
		p.Touch()
	}
	return nil
}

// Unused returns a name for a new project, with a number if the name is taken.
func (p *Project) Unused(name string) string {
	return freeName(p.kept(), func(n int) string { return texts.Numbered(name, n) })
}

// Duplicate copies a project and opens the copy.
func (p *Project) Duplicate(id string) {
	go p.change(func() error {
		if err := p.Flush(); err != nil {
			return err
		}
		t, original, newID := p.K.Texts(), p.nameOf(id), newProjectID()
		name := freeName(p.kept(), func(n int) string { return t.Project.Copy(original, n) })
		if err := p.store.Duplicate(id, newID, name); err != nil {
			return err
		}
		return p.open(newID)
	})
}

// Remove removes a project; a notice offers to restore it, if it can be. If it is open, the next project is
// opened, or a new one.
func (p *Project) Remove(id string) {
	go p.change(func() error {
		// A full disk is a reason to remove projects, even one with changes that do not fit.
		if err := p.Flush(); err != nil && CodeOf(err) != CodeFull {
			return err
		}
		name := p.nameOf(id)
		p.Update(func() { p.removed = id })
		defer func() {
			p.Update(func() { p.removed = "" })
			_ = p.Flush() // if it stays; a notice reports a failure
		}()
		kept, err := p.store.Remove(id)
		if err != nil {
			return err
		}
		p.K.Notices.Post(p.projectRemoved(id, name, kept))
		if err := p.refresh(); err != nil || id != p.State().ID {
			return err
		}
		p.K.Notices.Dismiss(NoticeSave)
		for _, next := range p.kept() {
			if p.open(next.ID) == nil {
				return nil
			}
		}
		return p.begin(p.Fresh())
	})
}

// Retrieve restores a removed project and opens it.
func (p *Project) Retrieve(id string) {
	p.K.Notices.Dismiss(NoticeRemoved)
	go p.change(func() error {
		if err := p.store.Retrieve(id); err != nil {
			return err
		}
		return p.open(id)
	})
}

// WriteFile saves the open project as a file of the user's.
func (p *Project) WriteFile(form Form) {
	go p.change(func() error {
		p.written(0, p.K.Classes.Examples()) // also while it waits, so that nothing is written twice
		// An engine that cannot be loaded restores nothing.
		if form != FormFolders && p.K.Engine.loaded() {
			p.K.Classes.waitRestored()
		}
		doc := p.document()
		err := p.store.WriteFile(doc, form, p.written)
		p.Update(func() { p.state.Writing = nil })
		p.reportWritten(err)
		return nil
	})
}

// Send opens the share sheet for the page that waits for a click.
func (p *Project) Send() {
	p.K.Notices.Dismiss(NoticeProject)
	go p.change(func() error {
		p.reportWritten(p.store.Send())
		return nil
	})
}

func (p *Project) reportWritten(err error) {
	switch {
	case CodeOf(err) == CodeWaiting:
		offer := &Offer{Text: func(t *texts.Texts) string { return t.Project.SendNow }, Do: p.Send}
		p.K.Notices.Post(Tell(NoticeProject, offer, func(t *texts.Texts) (title, text string) { return t.Project.PageReady, t.Project.PageReadyText }))
	case err != nil:
		p.K.Notices.Post(Warn(NoticeProject, err, func(t *texts.Texts) (title, text string) { return t.Project.NotWritten, Reason(t, err) }))
	}
}

func (p *Project) written(done, all int) {
	p.Update(func() { p.state.Writing = &Progress{done, all} })
}
