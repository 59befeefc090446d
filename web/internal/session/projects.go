package session

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/web/internal/texts"
)

// RenameProject gives the project that is open another name; a blank one changes
// nothing.
func (s *Session) RenameProject(name string) {
	name = strings.TrimSpace(name)
	changed := false
	s.update(func() {
		if changed = name != "" && name != s.project.Name; changed {
			s.project.Name = name
		}
	}, Projects)
	if changed {
		s.touch()
	}
}

// fresh returns a new project with two empty classes.
func (s *Session) fresh() Document {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := texts.Current()
	doc := Document{ID: newProjectID(), Manifest: project.Manifest{
		Kind: s.project.Kind, Name: s.freeName(t.Project.Default), Created: time.Now().UTC(),
		Method: method.Default(),
	}}
	for hue := range 2 {
		doc.Classes = append(doc.Classes, project.Class{ID: s.newID("class"), Label: t.Class.Default(hue + 1), Hue: hue})
	}
	return doc
}

// NewProject begins a project with two empty classes.
func (s *Session) NewProject() {
	go s.change(func() error {
		s.store.Begin()
		return s.show(s.fresh())
	})
}

// OpenProject opens a project that is kept.
func (s *Session) OpenProject(id string) {
	go s.change(func() error {
		if id == s.Project().ID {
			return nil
		}
		if err := s.open(id); err != nil {
			s.post(projectNotOpened(s.nameOf(id), err))
		}
		return nil
	})
}

// OpenFile opens a project file as a new project. What was open is kept; of a file
// that cannot be opened nothing comes.
func (s *Session) OpenFile(file File) {
	go s.change(func() error {
		doc, err := s.store.ReadFile(file, s.written)
		s.update(func() { s.writing = nil }, Projects)
		if err == nil && doc.Kind != s.Project().Kind {
			err = &Error{Code: CodeOtherKind, Message: "a project of the other kind"}
		}
		if err != nil {
			s.post(fileNotOpened(file.Name, err))
			return nil
		}
		s.dismiss(noticeProject)
		doc.ID = newProjectID()
		s.mu.Lock()
		name := doc.Name
		doc.Name = s.freeName(func(n int) string { return texts.Numbered(name, n) })
		s.mu.Unlock()
		if err := s.show(doc); err != nil {
			return err
		}
		s.update(func() { s.remade = s.opening != nil })
		if doc.Examples() == 0 {
			s.touch()
		}
		return nil
	})
}

// DuplicateProject keeps a copy of a project, and opens it.
func (s *Session) DuplicateProject(id string) {
	go s.change(func() error {
		if err := s.flush(); err != nil {
			return err
		}
		newID := newProjectID()
		s.mu.Lock()
		original := s.nameLocked(id)
		name := s.freeName(func(n int) string { return texts.Current().Project.Copy(original, n) })
		s.mu.Unlock()
		if err := s.store.Duplicate(id, newID, name); err != nil {
			return err
		}
		return s.open(newID)
	})
}

// RemoveProject puts a project away; a notice offers to bring it back. When it is
// the one that is open, the next is opened, or a new one begun.
func (s *Session) RemoveProject(id string) {
	go s.change(func() error {
		if err := s.flush(); err != nil {
			return err
		}
		name := s.nameOf(id)
		if err := s.store.Remove(id); err != nil {
			return err
		}
		s.post(projectRemoved(id, name))
		if err := s.list(); err != nil || id != s.Project().ID {
			return err
		}
		for _, next := range s.Project().Kept {
			if s.open(next.ID) == nil {
				return nil
			}
		}
		s.store.Begin()
		return s.show(s.fresh())
	})
}

// RetrieveProject brings back a project that was put away, and opens it.
func (s *Session) RetrieveProject(id string) {
	s.dismiss(noticeRemoved)
	go s.change(func() error {
		if err := s.store.Retrieve(id); err != nil {
			return err
		}
		return s.open(id)
	})
}

// WriteFile hands the person the project as a file.
func (s *Session) WriteFile(form Form) {
	go s.change(func() error {
		s.opened()
		s.mu.Lock()
		doc := s.document()
		s.mu.Unlock()
		s.written(0, doc.Examples())
		err := s.store.WriteFile(doc, form, s.written)
		s.update(func() { s.writing = nil }, Projects)
		if err != nil {
			s.post(notWritten(err))
		}
		return nil
	})
}

// freeName returns the first name that no project has. The lock is held.
func (s *Session) freeName(name func(n int) string) string {
	for n := 1; ; n++ {
		candidate := name(n)
		if !slices.ContainsFunc(s.project.Kept, func(p ProjectInfo) bool { return p.Name == candidate }) {
			return candidate
		}
	}
}

func (s *Session) nameOf(id string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.nameLocked(id)
}

func (s *Session) nameLocked(id string) string {
	if id == s.project.ID {
		return s.project.Name
	}
	for _, p := range s.project.Kept {
		if p.ID == id {
			return p.Name
		}
	}
	return ""
}

// newProjectID returns an id that no project has, on any device.
func newProjectID() string { return fmt.Sprintf("project-%016x", rand.Uint64()) }
