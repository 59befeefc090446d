package kernel

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/web/internal/texts"
)

// ProjectState is the open project, and the list of all.
type ProjectState struct {
	ID, Name string
	Stage    SaveStage
	Opening  *Progress     // restored examples; nil when all are
	Learning *Progress     // imported examples that the engine has embedded; nil when all are
	Taking   *Progress     // files read by an import
	Writing  *Progress     // of a project file that is read or written
	Kept     []ProjectInfo // the latest first; nil without a store
	Storable bool          // the store works
}

// Project is the open project, its saved state and the list of the other projects.
type Project struct {
	Part
	kind    string // project.KindImage or project.KindSound
	extends []Extension

	changing  sync.Mutex // held by change: one operation on projects after the other
	switching sync.Mutex

	storeKnown chan struct{} // closed once it is known whether there is a store, and its latest project is open
	store      Store
	state      ProjectState // without Opening and Learning
	created    time.Time
	// extensions are the project's data of other programs.
	extensions map[string]json.RawMessage
	stopped    bool  // the import
	taught     *Made // see Made

	saved   int    // the revision of the saved document
	saving  bool   // saveWhileDirty runs
	removed string // the id of the project that Remove removes
}

// newProjectID returns an id that is unique on all devices.
func newProjectID() string { return fmt.Sprintf("project-%016x", rand.Uint64()) }

// Kind returns project.KindImage or project.KindSound.
func (p *Project) Kind() string { return p.kind }

// OfSounds reports whether the page classifies sounds.
func (p *Project) OfSounds() bool { return p.kind == project.KindSound }

// Begun reports whether the project has examples or is for a lesson.
func (p *Project) Begun() bool {
	m := project.Manifest{Extensions: Get(&p.Part, &p.extensions)}
	return p.K.Classes.Examples() > 0 || m.Lesson().ID != ""
}

// State returns the open project, and the list of all.
func (p *Project) State() ProjectState {
	opening, learning := p.K.Classes.Opening(), p.K.Classes.Learning()
	state := Get(&p.Part, &p.state)
	state.Opening, state.Learning = opening, learning
	return state
}

// StoreReady connects the store. It opens the latest project, unless the user has already started a
// new one.
func (p *Project) StoreReady(store Store) {
	p.changing.Lock()
	defer p.changing.Unlock()
	defer close(p.storeKnown)
	kept, err := store.Projects()
	kept = p.ofKind(kept)
	name := freeName(kept, p.K.Texts().Project.Default)
	id := ""
	begun := false
	p.Update(func() {
		begun, id = p.dirty(), p.state.ID
		p.store, p.state.Storable, p.state.Kept, p.state.Name = store, err == nil, kept, cmp.Or(p.state.Name, name)
	})
	store.Accept(id)
	switch {
	case err != nil: // files work without it
		p.storeFailed(err)
		return
	case begun:
		p.Touch()
		return
	}
	if i := slices.IndexFunc(kept, func(info ProjectInfo) bool { return info.Damaged }); i >= 0 {
		p.K.Notices.Post(Warn(NoticeProject, nil, func(t *texts.Texts) (title, text string) {
			return t.Project.NotOpened(cmp.Or(kept[i].Name, t.Project.Nameless)), t.Project.DamagedText
		}))
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

// StoreMissing reports that the browser has no store for this page.
func (p *Project) StoreMissing(err error) {
	close(p.storeKnown)
	p.storeFailed(err)
}

func (p *Project) storeFailed(err error) {
	p.Update(func() { p.state.Stage = SaveFailed })
	p.K.Notices.Post(notKept(err))
}

// ofKind returns the projects of the page's kind, and damaged ones, whose kind is unknown. Default
// names are translated.
func (p *Project) ofKind(all []ProjectInfo) []ProjectInfo {
	t := p.K.Texts()
	all = slices.DeleteFunc(slices.Clone(all), func(info ProjectInfo) bool { return info.Kind != p.kind && !info.Damaged })
	for i := range all {
		all[i].Name = t.ProjectName(all[i].Name)
	}
	return all
}

func (p *Project) translate() {
	kept, t := p.ofKind(p.kept()), p.K.Texts()
	p.Update(func() { p.state.Kept, p.state.Name = kept, t.ProjectName(p.state.Name) })
}

// Fresh returns a new project with two empty classes.
func (p *Project) Fresh() Document {
	name := freeName(p.kept(), p.K.Texts().Project.Default)
	return Document{ID: newProjectID(), Kind: p.kind, Name: name, Created: time.Now().UTC(), Method: method.Default(), Classes: p.K.Classes.blank()}
}

// show opens a document, which the store has ready. It saves unsaved changes of the previous
// project first; if that fails, that project stays open. It saves the document once its
// examples are restored if keep is true, or if some are lost.
func (p *Project) show(doc Document, keep bool) error {
	p.switching.Lock()
	defer p.switching.Unlock()
	for {
		revision := Get(&p.Part, &p.K.revisions.Document)
		if p.unsaved() {
			if err := p.save(); err != nil {
				return err
			}
			continue
		}
		if p.K.Classes.open(&doc, revision, keep, func() { p.replace(doc) }) {
			p.K.Live.Clear()
			p.K.Live.Reclassify()
			p.K.Grow(func(r *Revisions) { r.Project++ })
			if doc.Lost > 0 {
				p.K.Notices.Post(Warn(NoticeProject, nil, func(t *texts.Texts) (title, text string) {
					return t.Project.Lost(doc.Lost, doc.Name), t.Project.LostText
				}))
				p.Touch()
			}
			return nil
		}
	}
}

// replace replaces the open project, except its classes.
func (p *Project) replace(doc Document) {
	name := p.K.Texts().ProjectName(doc.Name)
	p.Update(func() {
		p.state.ID, p.state.Name, p.state.Stage = doc.ID, name, Unsaved
		if slices.ContainsFunc(p.state.Kept, func(info ProjectInfo) bool { return info.ID == doc.ID }) {
			p.state.Stage = Saved
		}
		p.created, p.extensions, p.taught = doc.Created, doc.Extensions, doc.Made
		p.saved = p.K.revisions.Document
	})
	p.K.Setup.adopt(doc.Method, doc.Made)
	for _, part := range p.extends {
		part.Adopt(&doc.Manifest)
	}
	p.store.Accept(doc.ID)
}

// Extension is a part whose state is saved among the extensions of the project.
type Extension interface {
	// Keep returns a copy of the extensions with the part's state.
	Keep(extensions map[string]json.RawMessage) map[string]json.RawMessage
	// Adopt restores the state from a manifest, or resets it.
	Adopt(manifest *project.Manifest)
}

// Extend registers a part whose state is saved with the project.
func (p *Project) Extend(e Extension) { p.extends = append(p.extends, e) }

func (p *Project) document() Document {
	classes, past := p.K.Classes.document()
	recognize := p.K.Setup.Method()
	extensions := Get(&p.Part, &p.extensions)
	for _, part := range p.extends {
		extensions = part.Keep(extensions)
	}
	p.Lock()
	defer p.Unlock()
	return Document{
		ID: p.state.ID, Past: past, Format: project.Format, Version: project.Version, Kind: p.kind, Name: p.state.Name,
		Created: p.created, Saved: time.Now().UTC(), Method: recognize, Classes: classes, Extensions: extensions,
	}
}

// Made returns the network that trained the project when its file was written; nil if the
// project is not from a file or the file does not say.
func (p *Project) Made() *Made { return Get(&p.Part, &p.taught) }

func (p *Project) kept() []ProjectInfo { return Get(&p.Part, &p.state.Kept) }

func freeName(kept []ProjectInfo, name func(n int) string) string {
	for n := 1; ; n++ {
		candidate := name(n)
		if !slices.ContainsFunc(kept, func(info ProjectInfo) bool { return info.Name == candidate }) {
			return candidate
		}
	}
}

// nameOf returns the name of an open or saved project, or "".
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
