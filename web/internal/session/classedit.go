package session

import (
	"slices"
	"strings"

	"github.com/deepemd/deepemd/web/internal/texts"
)

// edit changes the classes, as one step that can be undone. What change returns is told
// to the engine; it reports false where there is nothing to do.
func (c *Classes) edit(kind Step, change func() (told []operation, ok bool)) (changed bool) {
	c.update(func() {
		before := c.frozen()
		told, ok := change()
		if !ok {
			return
		}
		c.remember(step{kind: kind, classes: before})
		c.tell(told...)
		changed = true
	})
	if changed {
		c.edited()
	}
	return changed
}

// tell tells the engine something, if it has been told the classes: else it will be
// told them as they are then. The lock is held.
func (c *Classes) tell(operations ...operation) {
	if c.known {
		c.queue.tell(operations...)
	}
}

// Add makes a class named "Class 1", "Class 2" …, in the language of the page, and
// returns its id.
func (c *Classes) Add() string {
	t := c.texts()
	var class Class
	c.edit(StepAddClass, func() ([]operation, bool) {
		class = Class{ID: c.newID("class"), Hue: c.hue % Hues}
		c.hue++
		class.Label, class.number = c.freeLabel(t)
		c.list = append(c.list, class)
		return []operation{func(e Engine) error { return e.AddClass(class.ID, class.Label, false) }}, true
	})
	return class.ID
}

// freeLabel returns the first "Class n" that no class has, and n. The lock is held.
func (c *Classes) freeLabel(t *texts.Texts) (label string, n int) {
	named := copies(c.list, func(o Class) bool { return !o.Nothing })
	for n = len(named) + 1; ; n++ {
		label = t.Class.Default(n)
		if !slices.ContainsFunc(named, func(o Class) bool { return o.Label == label }) {
			return label, n
		}
	}
}

// Rename gives a class another name; a blank name changes nothing.
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

// translate gives the classes that nobody has named their names in the language of the
// page.
func (c *Classes) translate() {
	t := c.texts()
	c.update(func() {
		for i := range c.list {
			class := &c.list[i]
			if class.number == 0 {
				continue
			}
			id, label := class.ID, t.Class.Default(class.number)
			class.Label = label
			c.tell(func(e Engine) error { return e.RenameClass(id, label) })
		}
	})
}

// Remove forgets a class and its examples.
func (c *Classes) Remove(id string) {
	c.interrupt()
	removed := c.edit(StepRemoveClass, func() ([]operation, bool) {
		if find(c.list, id) == nil {
			return nil, false
		}
		c.list = slices.DeleteFunc(slices.Clone(c.list), func(o Class) bool { return o.ID == id })
		return []operation{func(e Engine) error { return e.RemoveClass(id) }}, true
	})
	if removed {
		c.retaught()
	}
}

// Clear forgets all examples of a class.
func (c *Classes) Clear(id string) {
	c.interrupt()
	cleared := c.edit(StepClearClass, func() ([]operation, bool) {
		class := find(c.list, id)
		if class == nil || len(class.Examples) == 0 {
			return nil, false
		}
		next := slices.Clone(c.list)
		find(next, id).Examples = nil
		return c.become(next), true
	})
	if cleared {
		c.retaught()
	}
}

// Enable has a class considered again, or passed over with all its examples.
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
		c.retaught()
	}
}

// RemoveExamples forgets examples of any classes, as one step.
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
		return c.become(next), true
	})
	if removed {
		c.retaught()
	}
}

// RemoveExample forgets one example.
func (c *Classes) RemoveExample(id string) { c.RemoveExamples([]string{id}) }
