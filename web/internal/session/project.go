package session

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/web/internal/texts"
)

// saveInterval is how long after a save the next one begins: what changes fast,
// as while the capture button is held, is kept a few times a second.
const saveInterval = 200 * time.Millisecond

// SaveStage is whether the project is kept as it is.
type SaveStage int

// The stages of saving.
const (
	Unsaved SaveStage = iota // nothing was changed yet, or there is no store
	Saving
	Saved
	SaveFailed
)

// ProjectState is the project that is open, and the others.
type ProjectState struct {
	ID, Name string
	Kind     string
	Stage    SaveStage
	Opening  *Progress     // of the examples that are being brought back; nil when all are
	Writing  *Progress     // of a file that is being made, or read
	Kept     []ProjectInfo // the one used last first; nil while the store is not there
	Storable bool          // there is a store
}

// Progress is so many of all.
type Progress struct{ Done, All int }

// Project returns the state of the project.
func (s *Session) Project() ProjectState {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.project
	p.Opening, p.Writing = copied(s.opening), copied(s.writing)
	return p
}

func copied(p *Progress) *Progress {
	if p == nil {
		return nil
	}
	c := *p
	return &c
}

// StoreReady hands the session its store, and opens the project that was used
// last, unless the person has begun something already: that is a new one.
func (s *Session) StoreReady(store Store) {
	s.changing.Lock()
	defer s.changing.Unlock()
	kept, err := store.Projects()
	kept = s.ofKind(kept)
	begun := false
	s.update(func() {
		begun = s.dirty
		s.store, s.project.Storable, s.project.Kept = store, err == nil, kept
		s.project.Name = s.freeName(texts.Current().Project.Default)
		store.Accept(s.project.ID) // What is taught from now on has a place.
	}, Projects)
	switch {
	case err != nil: // Files work all the same.
		s.storeFailed(err)
		return
	case begun:
		s.touch()
		return
	case len(kept) == 0:
		return
	}
	doc, err := store.Open(kept[0].ID)
	if err != nil {
		s.post(projectNotOpened(kept[0].Name, err))
		doc = s.fresh()
		store.Begin()
	} else {
		doc.ID = kept[0].ID
	}
	if err := s.show(doc); err != nil {
		s.post(projectTrouble(err))
	}
}

// StoreMissing reports that the browser keeps nothing for this page.
func (s *Session) StoreMissing(err error) { s.storeFailed(err) }

func (s *Session) storeFailed(err error) {
	s.update(func() { s.project.Stage = SaveFailed }, Projects)
	s.post(notKept(err))
}

// touch keeps the project, soon. It is called after every change.
func (s *Session) touch() {
	start := false
	s.update(func() {
		s.dirty = true
		if s.project.Storable && !s.saving {
			s.saving, start = true, true
			s.project.Stage = Saving
		}
	}, Projects)
	if start {
		go s.saveWhileDirty()
	}
	s.examine()
}

// saveWhileDirty keeps the project until nothing has changed meanwhile.
func (s *Session) saveWhileDirty() {
	for {
		s.switching.Lock()
		err := s.save()
		s.switching.Unlock()
		again := false
		s.update(func() {
			if again = s.dirty && err == nil; !again {
				s.saving = false
			}
		}, Projects)
		if !again {
			return
		}
		time.Sleep(saveInterval)
	}
}

// save keeps the project once, as it is. What is being switched is locked.
func (s *Session) save() error {
	var doc Document
	s.update(func() {
		s.dirty = false
		doc = s.document()
	})
	err := s.store.Save(doc)
	s.update(func() {
		switch {
		case err != nil:
			s.dirty = true // The next change, or the person, tries again.
			s.project.Stage = SaveFailed
		case s.project.ID == doc.ID && !s.dirty:
			s.project.Stage = Saved
		}
		if err == nil {
			s.listed(doc)
		}
	}, Projects)
	if err != nil {
		s.post(notSaved(err))
	} else {
		s.dismiss(noticeSave)
	}
	return err
}

// opened waits until the examples of the project are all there.
func (s *Session) opened() {
	for {
		s.mu.Lock()
		opening := s.opening != nil
		s.mu.Unlock()
		<-s.settled()
		if !opening {
			return
		}
	}
}

// SaveAgain tries to keep the project once more, after it failed.
func (s *Session) SaveAgain() { s.touch() }

// listed puts a saved project at the head of the list. The lock is held.
func (s *Session) listed(doc Document) {
	info := ProjectInfo{
		ID: doc.ID, Name: doc.Name, Kind: doc.Kind, Classes: len(doc.Classes), Examples: doc.Examples(), Saved: doc.Saved,
	}
	rest := slices.DeleteFunc(slices.Clone(s.project.Kept), func(p ProjectInfo) bool { return p.ID == doc.ID })
	s.project.Kept = append([]ProjectInfo{info}, rest...)
}

// document returns the project as it is. The lock is held.
func (s *Session) document() Document {
	doc := Document{ID: s.project.ID, Manifest: project.Manifest{
		Format: project.Format, Version: project.Version, Kind: s.project.Kind, Name: s.project.Name,
		Created: s.created, Saved: time.Now().UTC(), Method: s.method,
	}}
	doc.Classes = make([]project.Class, len(s.classes))
	for i, c := range s.classes {
		examples := make([]project.Example, len(c.Examples))
		for k, id := range c.Examples {
			examples[k] = project.Example{ID: id}
		}
		doc.Classes[i] = project.Class{ID: c.ID, Label: c.Label, Hue: c.Hue, Disabled: c.Disabled, Examples: examples}
	}
	return doc
}

// classesOf returns the classes of a document, all of whose examples wait to be
// brought back.
func classesOf(doc Document) []Class {
	classes := make([]Class, len(doc.Classes))
	for i, c := range doc.Classes {
		classes[i] = Class{ID: c.ID, Label: c.Label, Hue: ((c.Hue % Hues) + Hues) % Hues, Disabled: c.Disabled}
		for _, e := range c.Examples {
			classes[i].Examples = append(classes[i].Examples, e.ID)
		}
	}
	return classes
}

// Method returns how this project's things are recognised.
func (s *Session) Method() method.Method {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.method
}

// ChangeMethod changes it, and keeps the project then.
func (s *Session) ChangeMethod(change func(*method.Method)) {
	s.update(func() { change(&s.method) }, Projects)
	s.touch()
}

// written reports how far a file is.
func (s *Session) written(done, all int) {
	s.update(func() { s.writing = &Progress{done, all} }, Projects)
}

// change does something with projects: one at a time, once the store is there. What
// goes wrong is said to the person.
func (s *Session) change(do func() error) {
	s.changing.Lock()
	defer s.changing.Unlock()
	s.mu.Lock()
	store := s.store
	s.mu.Unlock()
	if store == nil {
		s.post(notKept(&Error{Code: CodeNoStore, Message: "the browser keeps nothing for this page"}))
		return
	}
	s.Release()
	err := do()
	if err == nil && s.Project().Storable {
		err = s.list()
	}
	if err != nil {
		s.post(projectTrouble(err))
	}
}

// flush keeps what has changed and is not kept yet.
func (s *Session) flush() error {
	s.switching.Lock()
	defer s.switching.Unlock()
	s.mu.Lock()
	dirty := s.dirty && s.project.Storable
	s.mu.Unlock()
	if !dirty {
		return nil
	}
	return s.save()
}

// list brings the list of projects up to date.
func (s *Session) list() error {
	kept, err := s.store.Projects()
	if err == nil {
		kept = s.ofKind(kept)
		s.update(func() { s.project.Kept = kept }, Projects)
	}
	return err
}

// open opens a project that is kept, in place of the one that is open.
func (s *Session) open(id string) error {
	doc, err := s.store.Open(id)
	if err != nil {
		return err
	}
	doc.ID = id
	return s.show(doc)
}

// show makes a document, which the store has ready, the project that is open. What
// has changed in the one before is kept first; when that fails, it stays.
func (s *Session) show(doc Document) error {
	s.switching.Lock()
	defer s.switching.Unlock()
	for {
		s.mu.Lock()
		dirty := s.dirty && s.project.Storable
		s.dirty = dirty
		s.mu.Unlock()
		if dirty {
			if err := s.save(); err != nil {
				return err
			}
		}
		changed := false
		s.update(func() {
			if changed = s.dirty; !changed {
				s.replace(doc)
				s.store.Accept(doc.ID)
			}
		}, Classes, Live, Projects)
		if !changed {
			break
		}
	}
	s.reclassify()
	s.examine()
	return nil
}

// replace is show for the session alone. The lock is held.
func (s *Session) replace(doc Document) {
	s.epoch++
	s.remade = false
	s.forgetSteps()
	s.live = Answer{}
	stage := Unsaved
	for _, p := range s.project.Kept {
		if p.ID == doc.ID {
			stage = Saved
		}
	}
	s.project.ID, s.project.Name, s.project.Kind, s.project.Stage = doc.ID, doc.Name, doc.Kind, stage
	s.created, s.method, s.hue = doc.Created, doc.Method, len(doc.Classes)
	classes := classesOf(doc)
	all := 0
	for _, c := range classes {
		s.used(c.ID)
		for _, id := range c.Examples {
			s.used(id)
		}
		all += len(c.Examples)
	}
	// Nothing of before stays, also where ids are the same.
	told := s.become(nil)
	s.reviews.review, s.trial = nil, nil
	if s.engine != nil {
		told = append(told, s.matchSetup)
	}
	told = append(told, s.become(classes)...)
	s.opening = nil
	if all > 0 {
		s.opening = &Progress{0, all}
		if s.engine != nil {
			told = append(told, s.allRestored())
		}
	}
	for _, operation := range told {
		s.tellLocked(operation)
	}
}

// comeBack lists what brings the examples of classes back into an engine that knows
// the classes. The lock is held.
func (s *Session) comeBack(classes []Class) []func(Engine) error {
	told := []func(Engine) error{s.matchSetup}
	for _, c := range classes {
		if c.Disabled {
			told = append(told, func(e Engine) error { return e.EnableClass(c.ID, false) })
		}
		for part := range slices.Chunk(c.Examples, restoredAtOnce) {
			told = append(told, s.restore(c.ID, part))
		}
	}
	if s.opening != nil {
		told = append(told, s.allRestored())
	}
	return told
}

// allRestored is what ends the opening of the project that is open now.
func (s *Session) allRestored() func(Engine) error {
	epoch := s.epoch
	return func(Engine) error {
		remade := false
		s.update(func() {
			if s.epoch == epoch {
				s.opening = nil
				remade, s.remade = s.remade, false
			}
		}, Projects)
		if remade {
			s.touch()
		}
		return nil
	}
}

// restore gives the engine back examples of a class. When some had to be embedded
// anew, they are kept again: once, after all of a project that is being opened.
func (s *Session) restore(classID string, ids []string) func(Engine) error {
	epoch := s.epoch
	return func(e Engine) error {
		anew, err := e.RestoreExamples(classID, ids)
		keep := false
		s.update(func() {
			switch {
			case s.epoch != epoch:
			case s.opening != nil:
				s.opening.Done = min(s.opening.Done+len(ids), s.opening.All)
				s.remade = s.remade || anew > 0
			default:
				keep = anew > 0
			}
		}, Projects)
		if keep {
			s.touch()
		}
		return err
	}
}

// used makes sure that no new id is the given one. The lock is held.
func (s *Session) used(id string) {
	// The number at its end, as far as it is small enough to count on from.
	const digits = 9
	number := id[len(strings.TrimRight(id, "0123456789")):]
	number = number[max(0, len(number)-digits):]
	if n, err := strconv.Atoi(number); err == nil {
		s.lastID = max(s.lastID, n)
	}
}
