package session

import "slices"

// maxSteps is how many steps can be undone: more than anybody remembers.
const maxSteps = 100

// Step is what a person did, as the buttons that undo it name it.
type Step int

// The steps that can be undone.
const (
	NoStep Step = iota
	StepAddClass
	StepRenameClass
	StepRemoveClass
	StepAddExamples
	StepRemoveExample
	StepClearClass
	StepEnableClass
)

// step is the classes as they were before (or, to be done again, after) something
// that a person did. Snapshots share the lists of examples that did not change.
type step struct {
	kind    Step
	classes []Class
	batch   *batch // of examples that came together, else nil
}

// batch is examples that come together, and go together when that is undone.
type batch struct{ epoch int }

// History says what can be undone and done again; NoStep for nothing.
type History struct{ Undo, Redo Step }

// History returns what can be undone and done again.
func (s *Session) History() History {
	s.mu.Lock()
	defer s.mu.Unlock()
	last := func(steps []step) Step {
		if len(steps) == 0 {
			return NoStep
		}
		return steps[len(steps)-1].kind
	}
	return History{last(s.past), last(s.future)}
}

// Undo takes back what the person did last.
func (s *Session) Undo() { s.travel(&s.past, &s.future) }

// Redo does again what was taken back last.
func (s *Session) Redo() { s.travel(&s.future, &s.past) }

// travel goes to the last of the steps in from, and leaves in to how it was.
func (s *Session) travel(from, to *[]step) {
	s.Release()
	gone := false
	s.update(func() {
		if len(*from) == 0 {
			return
		}
		last := (*from)[len(*from)-1]
		*from = (*from)[:len(*from)-1]
		*to = append(*to, step{last.kind, s.frozen(), last.batch})
		for _, operation := range s.become(last.classes) {
			s.tellLocked(operation)
		}
		gone = true
	}, Classes, Live, Projects)
	if gone {
		s.touch()
		s.reclassify()
	}
}

// remember notes how the classes are, before a step. The lock is held.
func (s *Session) remember(kind Step, b *batch) {
	if b != nil && len(s.past) > 0 && s.past[len(s.past)-1].batch == b {
		return // The first of them has noted it.
	}
	s.past = append(s.past, step{kind, s.frozen(), b})
	if len(s.past) > maxSteps {
		s.past = slices.Delete(s.past, 0, len(s.past)-maxSteps)
	}
	s.future = nil
}

// forgetSteps makes the present the beginning. The lock is held.
func (s *Session) forgetSteps() { s.past, s.future = nil, nil }

// frozen returns the classes for keeping: lists of examples are never changed in
// place, and what is on its way belongs to no snapshot. The lock is held.
func (s *Session) frozen() []Class {
	classes := slices.Clone(s.classes)
	for i := range classes {
		classes[i].Examples = slices.Clip(classes[i].Examples)
		classes[i].Waiting = 0
	}
	return classes
}

// become makes the classes the given ones, and returns what the engine is to be
// told. The lock is held.
func (s *Session) become(classes []Class) []func(Engine) error {
	before := s.classes
	s.classes = slices.Clone(classes)
	for i := range s.classes {
		c := &s.classes[i]
		c.Examples = slices.Clip(c.Examples)
		if old := find(before, c.ID); old != nil {
			c.Waiting = old.Waiting
		}
	}
	if !s.current(s.live) {
		s.live = Answer{}
	}
	if s.engine == nil {
		return nil // It is told all classes when it is there.
	}
	return s.changes(before, s.classes)
}

// changes lists what an engine that knows some classes is to be told, so that it
// knows others: first what goes, then what comes.
func (s *Session) changes(before, after []Class) []func(Engine) error {
	var told []func(Engine) error
	for _, old := range before {
		c := find(after, old.ID)
		if c == nil {
			told = append(told, func(e Engine) error { return e.RemoveClass(old.ID) })
			continue
		}
		stays := setOf(c.Examples)
		for _, id := range old.Examples {
			if !stays[id] {
				told = append(told, func(e Engine) error { return e.RemoveExample(id) })
			}
		}
	}
	for _, c := range after {
		old := find(before, c.ID)
		switch {
		case old == nil:
			old = &Class{}
			told = append(told, func(e Engine) error { return e.AddClass(c.ID, c.Label) })
		case old.Label != c.Label:
			told = append(told, func(e Engine) error { return e.RenameClass(c.ID, c.Label) })
		}
		if old.Disabled != c.Disabled {
			told = append(told, func(e Engine) error { return e.EnableClass(c.ID, !c.Disabled) })
		}
		known := setOf(old.Examples)
		var back []string
		for _, id := range c.Examples {
			if !known[id] {
				back = append(back, id)
			}
		}
		for part := range slices.Chunk(back, restoredAtOnce) {
			told = append(told, s.restore(c.ID, part))
		}
	}
	return told
}

// restoredAtOnce is how many examples the engine is given back at a time: so many
// that the way there and back does not count, so few that progress is seen.
const restoredAtOnce = 50

func find(classes []Class, id string) *Class {
	i := slices.IndexFunc(classes, func(c Class) bool { return c.ID == id })
	if i < 0 {
		return nil
	}
	return &classes[i]
}

func setOf(ids []string) map[string]bool {
	set := make(map[string]bool, len(ids))
	for _, id := range ids {
		set[id] = true
	}
	return set
}
