package kernel

import (
	"slices"
	"strings"

	"github.com/deepemd/deepemd/web/internal/texts"
)

// edit changes the classes as one undoable step. change returns the operations for the engine; ok
// is false if there is nothing to do.
func (c *Classes) edit(kind Step, change func() (ops []operation, ok bool)) (changed bool) {
	c.Update(func() {
		before := c.snapshot()
		ops, ok := change()
		if !ok {
			return
		}
		c.remember(step{kind: kind, classes: before})
		c.enqueue(ops...)
		changed = true
	})
	if changed {
		c.K.Notices.Dismiss(NoticeUndo)
		c.edited()
	}
	return changed
}

// enqueue queues operations, unless register has yet to tell the engine all classes. The lock is
// held.
func (c *Classes) enqueue(operations ...operation) {
	if c.known {
		c.K.Engine.push(operations...)
	}
}

// Add adds a class named "Class 1", "Class 2" …, in the page's language, and returns its id.
func (c *Classes) Add() string {
	t := c.K.Texts()
	var id string
	c.edit(StepAddClass, func() ([]operation, bool) {
		label, number := c.freeLabel(t)
		class, add := c.make(label)
		class.number = number
		id = class.ID
		return []operation{add}, true
	})
	return id
}

// make adds a class. The lock is held.
func (c *Classes) make(label string) (*Class, operation) {
	class := Class{ID: c.newID("class"), Label: label, Hue: c.hue % Hues}
	c.hue++
	c.list = append(c.list, class)
	return &c.list[len(c.list)-1], func(e Engine) error { return e.AddClass(class.ID, class.Label, false) }
}

// fill starts a batch for classes of the given names: existing ones, otherwise empty classes, which
// it renames, otherwise new ones. It returns their ids in the order of the names.
func (c *Classes) fill(labels []string) (ids []string, b *batch) {
	b = c.beginBatch(func() (ops []operation) {
		for _, label := range labels {
			free := func(o Class) bool {
				return !o.Nothing && len(o.Examples) == 0 && c.waiting(o.ID) == 0 && !slices.Contains(ids, o.ID) && !slices.Contains(labels, o.Label)
			}
			i := slices.IndexFunc(c.list, func(o Class) bool { return !o.Nothing && o.Label == label })
			if i < 0 {
				if i = slices.IndexFunc(c.list, free); i >= 0 {
					id := c.list[i].ID
					c.list[i].Label, c.list[i].number = label, 0
					ops = append(ops, func(e Engine) error { return e.RenameClass(id, label) })
				} else {
					_, add := c.make(label)
					ops = append(ops, add)
					i = len(c.list) - 1
				}
			}
			ids = append(ids, c.list[i].ID)
		}
		return ops
	})
	c.edited()
	return ids, b
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
	c.edit(StepRenameClass, func() ([]operation, bool) {
		class := find(c.list, id)
		if class == nil || label == "" || class.Label == label {
			return nil, false
		}
		class.Label, class.number = label, 0
		return []operation{func(e Engine) error { return e.RenameClass(id, label) }}, true
	})
}

// translate translates the names of classes that still have their initial name.
func (c *Classes) translate() {
	t := c.K.Texts()
	c.Update(func() {
		for i := range c.list {
			class := &c.list[i]
			if class.number == 0 {
				continue
			}
			id, label := class.ID, t.Class.Default(class.number)
			class.Label = label
			c.enqueue(func(e Engine) error { return e.RenameClass(id, label) })
		}
	})
}

// Remove removes a class with its examples.
func (c *Classes) Remove(id string) {
	c.K.Capture.Release()
	var class Class
	removed := c.edit(StepRemoveClass, func() ([]operation, bool) {
		found := find(c.list, id)
		if found == nil {
			return nil, false
		}
		class = *found
		c.stopFor(id)
		c.list = slices.DeleteFunc(slices.Clone(c.list), func(o Class) bool { return o.ID == id })
		return []operation{func(e Engine) error { return e.RemoveClass(id) }}, true
	})
	if removed {
		c.K.Notices.Post(c.K.classDeleted(class, true))
		c.K.Live.Reclassify()
	}
}

// Clear removes all examples of a class.
func (c *Classes) Clear(id string) {
	c.K.Capture.Release()
	var was Class
	cleared := c.edit(StepClearClass, func() ([]operation, bool) {
		class := find(c.list, id)
		if class == nil || len(class.Examples) == 0 {
			return nil, false
		}
		was = *class
		c.stopFor(id)
		next := slices.Clone(c.list)
		find(next, id).Examples = nil
		return c.replace(next), true
	})
	if cleared {
		c.K.Notices.Post(c.K.classDeleted(was, false))
		c.K.Live.Reclassify()
	}
}

// Enable includes a class with its examples in answers, or excludes it.
func (c *Classes) Enable(id string, enabled bool) {
	changed := c.edit(StepEnableClass, func() ([]operation, bool) {
		class := find(c.list, id)
		if class == nil || class.Disabled != enabled {
			return nil, false
		}
		class.Disabled = !enabled
		return []operation{func(e Engine) error { return e.EnableClass(id, enabled) }}, true
	})
	if changed {
		c.K.Live.Reclassify()
	}
}

// RemoveExamples removes examples of any classes, as one step.
func (c *Classes) RemoveExamples(ids []string) {
	gone := setOf(ids)
	kind := StepRemoveExamples
	if len(gone) == 1 {
		kind = StepRemoveExample
	}
	removed := c.edit(kind, func() ([]operation, bool) {
		next := slices.Clone(c.list)
		found := false
		for i := range next {
			next[i].Examples = slices.DeleteFunc(slices.Clone(next[i].Examples), func(id string) bool { return gone[id] })
			found = found || len(next[i].Examples) < len(c.list[i].Examples)
		}
		if !found {
			return nil, false
		}
		return c.replace(next), true
	})
	if removed {
		c.K.Live.Reclassify()
	}
}

// RemoveExample removes an example.
func (c *Classes) RemoveExample(id string) { c.RemoveExamples([]string{id}) }
