package session

import (
	"fmt"
	"slices"
	"strings"

	"github.com/deepemd/deepemd/web/internal/texts"
)

// Hues is how many colours classes are told apart by; more classes share them.
const Hues = 8

// Class is one thing to tell apart, as shown to the person.
type Class struct {
	ID       string
	Label    string // what the person calls it; never empty
	Hue      int    // 0 … Hues-1
	Examples []string
	Waiting  int  // pictures on their way to being examples
	Disabled bool // passed over, with all its examples

	number int // of a class that still has the name it was made with; else 0
}

// ClassList returns the classes in the order in which they were made.
func (s *Session) ClassList() []Class {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.snapshot()
}

// snapshot copies the classes. The lock is held.
func (s *Session) snapshot() []Class {
	classes := slices.Clone(s.classes)
	for i := range classes {
		classes[i].Examples = slices.Clone(classes[i].Examples)
	}
	return classes
}

// AddClass makes a class named "Class 1", "Class 2" …, in the language of the
// page, and returns its id.
func (s *Session) AddClass() string {
	var c Class
	var known bool
	s.update(func() {
		s.remember(StepAddClass, nil)
		c = Class{ID: s.newID("class"), Hue: s.hue % Hues}
		s.hue++
		c.Label, c.number = s.freeLabel()
		s.classes = append(s.classes, c)
		known = s.engine != nil
	}, Classes, Projects)
	s.touch()
	if known {
		s.tell(func(e Engine) error { return e.AddClass(c.ID, c.Label) })
	}
	return c.ID
}

// freeLabel returns the first "Class n" that no class has, and n. The lock is
// held.
func (s *Session) freeLabel() (label string, n int) {
	for n = len(s.classes) + 1; ; n++ {
		label = texts.Current().Class.Default(n)
		if !slices.ContainsFunc(s.classes, func(c Class) bool { return c.Label == label }) {
			return label, n
		}
	}
}

// RenameClass gives a class another name; a blank name changes nothing.
func (s *Session) RenameClass(id, label string) {
	label = strings.TrimSpace(label)
	var renamed, tell bool
	s.update(func() {
		if c := s.class(id); c != nil && label != "" && c.Label != label {
			s.remember(StepRenameClass, nil)
			c.Label, c.number = label, 0
			renamed, tell = true, s.engine != nil
		}
	}, Classes, Live, Projects)
	if renamed {
		s.touch()
	}
	if tell {
		s.tell(func(e Engine) error { return e.RenameClass(id, label) })
	}
}

// RemoveClass forgets a class and its examples.
func (s *Session) RemoveClass(id string) {
	s.Release()
	var removed, tell bool
	s.update(func() {
		if s.class(id) == nil {
			return
		}
		s.remember(StepRemoveClass, nil)
		s.classes = slices.DeleteFunc(slices.Clone(s.classes), func(c Class) bool { return c.ID == id })
		s.live = s.live.without(id)
		removed, tell = true, s.engine != nil
	}, Classes, Live, Projects)
	if removed {
		s.touch()
	}
	if tell {
		s.tell(func(e Engine) error { return e.RemoveClass(id) })
		s.reclassify()
	}
}

// ClearClass forgets all examples of a class.
func (s *Session) ClearClass(id string) {
	s.Release()
	cleared := false
	s.update(func() {
		c := s.class(id)
		if c == nil || len(c.Examples) == 0 {
			return
		}
		s.remember(StepClearClass, nil)
		classes := slices.Clone(s.classes)
		find(classes, id).Examples = nil
		for _, operation := range s.become(classes) {
			s.tellLocked(operation)
		}
		cleared = true
	}, Classes, Live, Projects)
	if cleared {
		s.touch()
		s.reclassify()
	}
}

// EnableClass has a class considered again, or passed over with all its examples.
func (s *Session) EnableClass(id string, enabled bool) {
	changed, tell := false, false
	s.update(func() {
		if c := s.class(id); c != nil && c.Disabled == enabled {
			s.remember(StepEnableClass, nil)
			c.Disabled = !enabled
			if !s.current(s.live) || enabled {
				s.live = Answer{}
			}
			changed, tell = true, s.engine != nil
		}
	}, Classes, Live, Projects)
	if changed {
		s.touch()
	}
	if tell {
		s.tell(func(e Engine) error { return e.EnableClass(id, enabled) })
		s.reclassify()
	}
}

// class returns the class with the given id, or nil. The lock is held.
func (s *Session) class(id string) *Class {
	for i := range s.classes {
		if s.classes[i].ID == id {
			return &s.classes[i]
		}
	}
	return nil
}

// examples counts the examples of all classes. The lock is held.
func (s *Session) examples() int {
	n := 0
	for _, c := range s.classes {
		n += len(c.Examples)
	}
	return n
}

// newID returns an id that was never used. The lock is held.
func (s *Session) newID(kind string) string {
	s.lastID++
	return fmt.Sprintf("%s-%d", kind, s.lastID)
}
