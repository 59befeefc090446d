package kernel

import (
	"slices"
	"strings"

	"github.com/deepemd/deepemd/web/internal/texts"
)

// edit changes the classes as one undoable step; change returns false if there is nothing to do.
func (c *Classes) edit(kind Step, change func() bool) (changed bool) {
	c.Update(func() {
		before := c.snapshot()
		if changed = change(); changed {
			c.remember(step{kind: kind, classes: before})
			c.tell()
		}
	})
	if changed {
		c.K.Notices.Dismiss(NoticeUndo)
		c.edited()
	}
	return changed
}

// editExamples is edit for changes of answers.
func (c *Classes) editExamples(kind Step, change func() bool) (changed bool) {
	if changed = c.edit(kind, change); changed {
		c.K.Live.Reclassify()
	}
	return changed
}

// Add adds a class named "Class 1", "Class 2" …, in the page's language, and returns its id.
func (c *Classes) Add() string {
	t := c.K.Texts()
	var id string
	c.edit(StepAddClass, func() bool {
		label, number := c.freeLabel(t)
		class := c.make(label)
		class.number = number
		id = class.ID
		return true
	})
	return id
}

// make adds a class. The lock is held.
func (c *Classes) make(label string) *Class {
	c.list = append(c.list, Class{ID: c.newID("class"), Label: label, Hue: c.hue % Hues})
	c.hue++
	return &c.list[len(c.list)-1]
}

// freeLabel returns the first unused "Class n", and n. The lock is held.
func (c *Classes) freeLabel(t *texts.Texts) (label string, n int) {
	things := slices.DeleteFunc(slices.Clone(c.list), func(o Class) bool { return o.Nothing })
	for n = len(things) + 1; ; n++ {
		label = t.Class.Default(n)
		if !slices.ContainsFunc(things, func(o Class) bool { return o.Label == label }) {
			return label, n
		}
	}
}

// Rename renames a class, unless the name is blank.
func (c *Classes) Rename(id, label string) {
	label = strings.TrimSpace(label)
	c.edit(StepRenameClass, func() bool {
		class := find(c.list, id)
		if class == nil || label == "" || class.Label == label {
			return false
		}
		class.Label, class.number = label, 0
		return true
	})
}

// translate translates the names of classes that still have their initial name, now or before a step.
func (c *Classes) translate() {
	t := c.K.Texts()
	c.Update(func() {
		for _, s := range slices.Concat([]step{{classes: c.list}}, c.past, c.future) {
			for i, class := range s.classes {
				if class.number > 0 {
					s.classes[i].Label = t.Class.Default(class.number)
				}
			}
		}
		c.tell()
	})
}

// Remove removes a class with its examples.
func (c *Classes) Remove(id string) { c.clear(StepRemoveClass, id) }

// Clear removes all examples of a class.
func (c *Classes) Clear(id string) { c.clear(StepClearClass, id) }

// clear removes all examples of a class, or the whole class, and offers to undo that.
func (c *Classes) clear(kind Step, id string) {
	c.K.Capture.Release()
	label, examples, whole := "", 0, kind == StepRemoveClass
	cleared := c.editExamples(kind, func() bool {
		class := find(c.list, id)
		if class == nil || !whole && len(class.Examples) == 0 {
			return false
		}
		label, examples = class.Label, len(class.Examples)
		c.stopFor(id)
		class.Examples = nil
		if whole {
			c.list = slices.DeleteFunc(c.list, func(o Class) bool { return o.ID == id })
		}
		return true
	})
	if cleared {
		c.K.Notices.Post(c.K.undoable(id, func(t *texts.Texts) string {
			if whole {
				return t.Class.Deleted(examples, label)
			}
			return t.Class.Emptied(examples, label)
		}))
	}
}

// Enable includes a class with its examples in answers, or excludes it.
func (c *Classes) Enable(id string, enabled bool) {
	c.editExamples(StepEnableClass, func() bool {
		class := find(c.list, id)
		if class == nil || class.Disabled != enabled {
			return false
		}
		class.Disabled = !enabled
		return true
	})
}

// RemoveExamples removes examples of any classes, as one step.
func (c *Classes) RemoveExamples(ids ...string) {
	gone := setOf(ids)
	kind := StepRemoveExamples
	if len(gone) == 1 {
		kind = StepRemoveExample
	}
	c.editExamples(kind, func() (found bool) {
		for i := range c.list {
			class := &c.list[i]
			before := len(class.Examples)
			class.Examples = slices.DeleteFunc(slices.Clone(class.Examples), func(id string) bool { return gone[id] })
			found = found || len(class.Examples) < before
		}
		return found
	})
}

// MoveExamples moves examples to the classes of the given ids, as one step.
func (c *Classes) MoveExamples(to map[string]string) {
	c.editExamples(StepMoveExamples, func() bool {
		arrived := map[string][]string{}
		for i := range c.list {
			class := &c.list[i]
			class.Examples = slices.DeleteFunc(slices.Clone(class.Examples), func(id string) bool {
				target := to[id]
				if target == class.ID || find(c.list, target) == nil {
					return false
				}
				arrived[target] = append(arrived[target], id)
				return true
			})
		}
		for i := range c.list {
			c.list[i].Examples = append(c.list[i].Examples, arrived[c.list[i].ID]...)
		}
		return len(arrived) > 0
	})
}
