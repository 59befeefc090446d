package kernel

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/core/project"
)

// ProjectState is the project that is open, and the others.
type ProjectState struct {
	ID, Name string
	Stage    SaveStage
	Opening  *Progress     // of the examples that are being brought back; nil when all are
	Learning *Progress     // of the examples that no engine has seen; nil when all are embedded
	Writing  *Progress     // of a file that is being made, or read
	Kept     []ProjectInfo // the one used last first; nil while the store is not there
	Storable bool          // there is a store
}

// Project is the project that is open, what is kept of it, and the other projects that
// are kept.
type Project struct {
	Part
	kind    string // project.KindImage or project.KindSound, for as long as the page is open
	extends []Extension

	changing  sync.Mutex // see the package's rule of concurrency
	switching sync.Mutex

	settled chan struct{} // closed once it is known whether there is a store
	known   sync.Once
	store   Store
	state   ProjectState // but for Opening, Learning and Writing
	created time.Time
	// extensions are what other programs keep with the project.
	extensions map[string]json.RawMessage
	writing    *Progress
	taught     *Made // the network that the file was taught with which it came from; or nil

	saved    int  // the revision of the document that is kept
	saving   bool // saveWhileDirty runs
	revision int  // of the classes, as they were kept or opened
}

func newProject(s *Kernel, kind string) *Project {
	return &Project{
		Part: Part{K: s}, settled: make(chan struct{}), kind: kind,
		state: ProjectState{ID: newProjectID()}, created: time.Now().UTC(),
	}
}

// newProjectID returns an id that no project has, on any device.
func newProjectID() string { return fmt.Sprintf("project-%016x", rand.Uint64()) }

// Kind is project.KindImage or project.KindSound.
func (p *Project) Kind() string { return p.kind }

// OfSounds reports whether the page tells sounds apart.
func (p *Project) OfSounds() bool { return p.kind == project.KindSound }

// State returns the project that is open, and the others.
func (p *Project) State() ProjectState {
	opening, learning := p.K.Classes.Opening(), p.K.Classes.Learning()
	p.Lock()
	defer p.Unlock()
	state := p.state
	state.Opening, state.Learning, state.Writing = opening, learning, copied(p.writing)
	return state
}

// StoreReady hands over the store, and opens the project that was used last, unless the
// person has begun something already: that is a new one.
func (p *Project) StoreReady(store Store) {
	p.changing.Lock()
	defer p.changing.Unlock()
	kept, err := store.Projects()
	kept = p.ofKind(kept)
	name := freeName(kept, p.K.Texts().Project.Default)
	id := ""
	begun := false
	p.Update(func() {
		begun, id = p.dirty(), p.state.ID
		p.store, p.state.Storable, p.state.Kept, p.state.Name = store, err == nil, kept, name
	})
	p.known.Do(func() { close(p.settled) })
	store.Accept(id) // What is taught from now on has a place.
	switch {
	case err != nil: // Files work all the same.
		p.storeFailed(err)
		return
	case begun:
		p.Touch()
		return
	}
	if i := slices.IndexFunc(kept, func(info ProjectInfo) bool { return info.Damaged }); i >= 0 {
		p.K.Notices.Post(projectDamaged(kept[i].Name))
	}
	last := slices.IndexFunc(kept, func(info ProjectInfo) bool { return !info.Damaged })
	if last < 0 {
		return
	}
	doc, err := store.Open(kept[last].ID)
	if err != nil {
		p.K.Notices.Post(projectNotOpened(kept[last].Name, err))
		doc = p.Fresh()
		store.Begin()
	} else {
		doc.ID = kept[last].ID
	}
	if err := p.show(doc, false); err != nil {
		p.K.Notices.Post(projectTrouble(err))
	}
}

// StoreMissing reports that the browser keeps nothing for this page.
func (p *Project) StoreMissing(err error) {
	p.known.Do(func() { close(p.settled) })
	p.storeFailed(err)
}

func (p *Project) storeFailed(err error) {
	p.Update(func() { p.state.Stage = SaveFailed })
	p.K.Notices.Post(notKept(err))
}

// ofKind returns the projects of the page's kind, and those of which that is not known.
func (p *Project) ofKind(all []ProjectInfo) []ProjectInfo {
	return slices.DeleteFunc(slices.Clone(all), func(info ProjectInfo) bool { return info.Kind != p.kind && !info.Damaged })
}

// Fresh returns a new project with two empty classes.
func (p *Project) Fresh() Document {
	name := freeName(p.kept(), p.K.Texts().Project.Default)
	return Document{ID: newProjectID(), Manifest: project.Manifest{
		Kind: p.kind, Name: name, Created: time.Now().UTC(), Method: method.Default(), Classes: p.K.Classes.blank(),
	}}
}

// show makes a document, which the store has ready, the project that is open. What has
// changed in the one before is kept first; when that fails, it stays. With keep, the
// document is kept once its examples are back; so is one of which some are lost.
func (p *Project) show(doc Document, keep bool) error {
	p.switching.Lock()
	defer p.switching.Unlock()
	setup := func() operation { return p.K.Setup.adopt(doc.Method) }
	for {
		_, revision := p.K.Classes.document()
		if p.unsaved(revision) {
			if err := p.save(); err != nil {
				return err
			}
			continue
		}
		if opened, ok := p.K.Classes.open(doc.Classes, doc.Unseen, revision, keep, setup, func() { p.replace(doc) }); ok {
			p.Update(func() { p.revision = opened })
			p.K.Live.Clear()
			p.K.Live.Reclassify()
			p.K.Grow(func(r *Revisions) { r.Project++ })
			if doc.Lost > 0 {
				p.K.Notices.Post(examplesLost(doc.Name, doc.Lost))
				p.Touch()
			}
			return nil
		}
	}
}

// replace puts another project in the place of the one that is open: all but its
// classes and method.
func (p *Project) replace(doc Document) {
	p.Update(func() {
		p.state.ID, p.state.Name, p.state.Stage = doc.ID, doc.Name, Unsaved
		if slices.ContainsFunc(p.state.Kept, func(info ProjectInfo) bool { return info.ID == doc.ID }) {
			p.state.Stage = Saved
		}
		p.created, p.extensions, p.taught = doc.Created, doc.Extensions, doc.Made
		p.saved = p.K.revisions.Document
	})
	for _, part := range p.extends {
		part.Adopt(&doc.Manifest)
	}
	p.store.Accept(doc.ID)
}

// Extension is a part of the kernel whose state is kept among the extensions of the
// project.
type Extension interface {
	// Keep returns extensions with the part's among them, and does not change the given
	// ones.
	Keep(extensions map[string]json.RawMessage) map[string]json.RawMessage
	// Adopt takes over the state that a project was kept with, or none.
	Adopt(manifest *project.Manifest)
}

// Extend has the state of a part kept with the project.
func (p *Project) Extend(e Extension) { p.extends = append(p.extends, e) }

// document returns the project, and the revision of its classes.
func (p *Project) document() (doc Document, revision int) {
	classes, revision := p.K.Classes.document()
	recognise := p.K.Setup.Method()
	p.Lock()
	extensions := p.extensions
	p.Unlock()
	for _, part := range p.extends {
		extensions = part.Keep(extensions)
	}
	p.Lock()
	defer p.Unlock()
	return Document{ID: p.state.ID, Manifest: project.Manifest{
		Format: project.Format, Version: project.Version, Kind: p.kind, Name: p.state.Name,
		Created: p.created, Saved: time.Now().UTC(), Method: recognise, Classes: classes,
		Extensions: extensions,
	}}, revision
}

// Made returns the network that trained the project when its file was written; nil if the
// project is not from a file or the file does not say.
func (p *Project) Made() *Made {
	p.Lock()
	defer p.Unlock()
	return p.taught
}

// kept lists the projects that are kept.
func (p *Project) kept() []ProjectInfo {
	p.Lock()
	defer p.Unlock()
	return p.state.Kept
}

// freeName returns the first name that no project has.
func freeName(kept []ProjectInfo, name func(n int) string) string {
	for n := 1; ; n++ {
		candidate := name(n)
		if !slices.ContainsFunc(kept, func(info ProjectInfo) bool { return info.Name == candidate }) {
			return candidate
		}
	}
}

// nameOf is the name of a project that is open or kept, or "".
func (p *Project) nameOf(id string) string {
	p.Lock()
	defer p.Unlock()
	if id == p.state.ID {
		return p.state.Name
	}
	for _, info := range p.state.Kept {
		if info.ID == id {
			return info.Name
		}
	}
	return ""
}
