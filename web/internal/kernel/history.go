package kernel

import (
	"slices"
)

// maxSteps is how many steps can be undone: more than anybody remembers.
const maxSteps = 100

// Step names what a person did, for the buttons that undo it.
type Step int

// The steps that can be undone.
const (
	NoStep Step = iota
	StepAddClass
	StepRenameClass
	StepRemoveClass
	StepAddExamples
	StepRemoveExample
	StepRemoveExamples
	StepClearClass
	StepEnableClass
	StepRule
)

// step is the classes before (or, to be done again, after) something that a person did.
// Snapshots share the lists of examples that did not change.
type step struct {
	kind    Step
	classes []Class
	batch   *batch // of examples that came together, or nil
	swap    func() // puts back what another part had before, and remembers what it had; or nil
}

// History says what can be undone and done again; NoStep for nothing.
type History struct{ Undo, Redo Step }

// History returns what can be undone and done again.
func (c *Classes) History() History {
	c.Lock()
	defer c.Unlock()
	last := func(steps []step) Step {
		if len(steps) == 0 {
			return NoStep
		}
		return steps[len(steps)-1].kind
	}
	return History{last(c.past), last(c.future)}
}

// Undo takes back what the person did last.
func (c *Classes) Undo() { c.undo(&c.past, &c.future) }

// Redo does again what was taken back last.
func (c *Classes) Redo() { c.undo(&c.future, &c.past) }

// UndoRemoves reports whether Undo would remove an example now.
func (c *Classes) UndoRemoves(exampleID string) bool {
	c.Lock()
	defer c.Unlock()
	if len(c.past) == 0 {
		return false
	}
	return !slices.ContainsFunc(c.past[len(c.past)-1].classes, func(o Class) bool { return slices.Contains(o.Examples, exampleID) })
}

// travel goes to the last of the steps in from, and leaves the present in to.
func (c *Classes) undo(from, to *[]step) {
	c.K.Capture.Release()
	gone, swap := false, (func())(nil)
	c.Update(func() {
		if len(*from) == 0 {
			return
		}
		last := (*from)[len(*from)-1]
		*from = (*from)[:len(*from)-1]
		if last.batch != nil {
			c.stop(last.batch)
		}
		if last.batch == nil || last.batch.taught { // else only what was to come is dropped
			*to = append(*to, step{last.kind, c.snapshot(), last.batch, last.swap})
		}
		swap = last.swap
		c.revision++
		c.enqueue(c.replace(last.classes)...)
		gone = true
	})
	if swap != nil {
		swap()
	}
	if gone {
		c.K.Notices.Dismiss(NoticeUndo)
		c.edited()
		c.K.Live.Reclassify()
	}
}

// Note has a change of another part be a step: swap takes it back, and when it is called
// again makes it again.
func (c *Classes) Note(kind Step, swap func()) {
	c.Update(func() { c.remember(step{kind: kind, classes: c.snapshot(), swap: swap}) })
	c.K.Notices.Dismiss(NoticeUndo)
}

// remember notes a step. The lock is held.
func (c *Classes) remember(s step) {
	c.revision++
	c.discardSteps(c.future)
	c.past, c.future = append(c.past, s), nil
	if over := len(c.past) - maxSteps; over > 0 {
		c.discardSteps(c.past[:over])
		c.past = slices.Delete(c.past, 0, over)
	}
}

// frozen returns the classes for keeping: lists of examples are never changed in place.
// The lock is held.
func (c *Classes) snapshot() []Class {
	classes := slices.Clone(c.list)
	for i := range classes {
		classes[i].Examples = slices.Clip(classes[i].Examples)
	}
	return classes
}

// become makes the classes the given ones, and returns what an engine is to be told
// that knows those of before. The lock is held.
func (c *Classes) replace(classes []Class) []operation {
	before := c.list
	c.list = slices.Clone(classes)
	for i := range c.list {
		c.list[i].Examples = slices.Clip(c.list[i].Examples)
	}
	c.embedUnseen()
	return c.diff(before, c.list)
}

// changes lists what an engine that knows some classes is to be told, so that it knows
// others: first what goes, then what comes. The lock is held.
func (c *Classes) diff(before, after []Class) []operation {
	var told []operation
	for _, old := range before {
		class := find(after, old.ID)
		if class == nil {
			told = append(told, func(e Engine) error { return e.RemoveClass(old.ID) })
			continue
		}
		stays := setOf(class.Examples)
		for _, id := range old.Examples {
			if !stays[id] {
				told = append(told, c.forget(id))
			}
		}
	}
	for _, class := range after {
		old := find(before, class.ID)
		switch {
		case old == nil:
			old = &Class{}
			told = append(told, func(e Engine) error { return e.AddClass(class.ID, class.Label, class.Nothing) })
		case old.Label != class.Label:
			told = append(told, func(e Engine) error { return e.RenameClass(class.ID, class.Label) })
		}
		if old.Disabled != class.Disabled {
			told = append(told, func(e Engine) error { return e.EnableClass(class.ID, !class.Disabled) })
		}
		known := setOf(old.Examples)
		var back []string
		for _, id := range class.Examples {
			if !known[id] && !c.unseen.ids[id] {
				back = append(back, id)
			}
		}
		for some := range slices.Chunk(back, restoredAtOnce) {
			told = append(told, c.restore(class.ID, some))
		}
	}
	return told
}

func setOf(ids []string) map[string]bool {
	set := make(map[string]bool, len(ids))
	for _, id := range ids {
		set[id] = true
	}
	return set
}

// What was deleted can come back, as long as a step leads to it. What no step leads to any
// more is let go of: a page that runs for weeks, where people take examples and delete
// them, holds no more than what it shows and a number of steps.

// lost notes what steps that nobody can take any more lead to. The lock is held.
func (c *Classes) discardSteps(steps []step) {
	for _, s := range steps {
		for _, class := range s.classes {
			for _, id := range class.Examples {
				c.discard(id)
			}
		}
	}
}

// away notes an example that may have gone for good. The lock is held.
func (c *Classes) discard(id string) {
	if c.gone == nil {
		c.gone = map[string]bool{}
	}
	c.gone[id] = true
}

// letGo calls forget with the examples that went for good, once the engine has done all
// that it was told, which may be with one of these. It is called once the project was
// kept, or could not be: nothing that is kept later has them.
func (c *Classes) purge(forget func(ids []string)) {
	c.Lock()
	defer c.Unlock()
	ids, now := c.unreachable(), c.project
	if len(ids) == 0 {
		return
	}
	c.K.Engine.push(func(Engine) error {
		c.Lock()
		defer c.Unlock()
		if c.project == now { // else the ids may be another's
			for _, id := range ids {
				delete(c.unseen.ids, id)
			}
			forget(ids)
		}
		return nil
	})
}

// unreachable returns the examples that went for good since it was last called. The lock
// is held.
func (c *Classes) unreachable() (ids []string) {
	if len(c.gone) == 0 {
		return nil
	}
	keep := func(classes []Class) {
		for _, class := range classes {
			for _, id := range class.Examples {
				delete(c.gone, id)
			}
		}
	}
	keep(c.list)
	for _, steps := range [][]step{c.past, c.future} {
		for _, s := range steps {
			keep(s.classes)
		}
	}
	for id := range c.gone {
		ids = append(ids, id)
	}
	c.gone = nil
	return ids
}
