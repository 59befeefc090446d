package kernel

import (
	"maps"
	"slices"
)

// An edit changes the classes of the page only. Classes records the engine's classes and examples,
// and sync makes the missing calls, however many edits have happened since the last sync.

// restoredAtOnce is the number of examples that the engine restores in one call. More would delay
// the progress bar; fewer would add overhead.
const restoredAtOnce = 50

// had is a class of the engine.
type had struct {
	project   int // see Classes.project: classes of different projects may have the same id
	id, label string
	disabled  bool
	examples  map[string]bool
	missing   map[string]bool // examples that could not be restored: see again
}

// hadOf returns the engine's class for a class of the present project, or nil. The lock is held.
func (c *Classes) hadOf(classID string) *had {
	i := slices.IndexFunc(c.had, func(h *had) bool { return h.id == classID && h.project == c.project })
	if i < 0 {
		return nil
	}
	return c.had[i]
}

// tell queues sync, and starts to embed new examples. The lock is held.
func (c *Classes) tell() {
	c.K.Engine.push(c.sync)
	c.embedUnseen()
}

// again makes a restarted engine restore and embed the examples that it could not have before.
func (c *Classes) again() {
	c.Update(func() {
		for _, h := range c.had {
			clear(h.missing)
		}
		c.tell()
	})
}

// sync brings the engine in line with the page, except for examples that no engine has embedded. A
// failed call is reported and not repeated, see again. If the engine had to embed examples again, the project
// is saved.
func (c *Classes) sync(e Engine) error {
	c.call(e, c.nextChange)
	if err := c.K.Setup.follow(e); err != nil {
		c.K.Notices.Trouble(err)
	}
	c.call(e, c.nextRestored)
	keep := false
	c.Update(func() { keep, c.keep, c.opening = c.keep, false, nil })
	if keep {
		c.edited()
	}
	return nil
}

// call makes the calls that next returns, until it returns nil. next is called with the lock.
func (c *Classes) call(e Engine, next func() operation) {
	for {
		c.Lock()
		do := next()
		c.Unlock()
		if do == nil {
			return
		}
		if err := do(e); err != nil {
			c.K.Notices.Trouble(err)
		}
	}
}

// nextChange returns the next change of the engine's classes: removals first. The lock is held.
func (c *Classes) nextChange() operation {
	for i, h := range c.had {
		class := find(c.list, h.id)
		if class == nil || h.project != c.project {
			c.had = slices.Delete(c.had, i, i+1)
			return func(e Engine) error { return e.RemoveClass(h.id) }
		}
		if gone := h.without(class.Examples); len(gone) > 0 {
			delete(h.examples, gone[0])
			return func(e Engine) error { return e.RemoveExample(gone[0]) }
		}
	}
	for _, class := range c.list {
		h := c.hadOf(class.ID)
		switch {
		case h == nil:
			c.had = append(c.had, &had{project: c.project, id: class.ID, label: class.Label, examples: map[string]bool{}, missing: map[string]bool{}})
			return func(e Engine) error { return e.AddClass(class.ID, class.Label, class.Nothing) }
		case h.label != class.Label:
			h.label = class.Label
			return func(e Engine) error { return e.RenameClass(class.ID, class.Label) }
		case h.disabled != class.Disabled:
			h.disabled = class.Disabled
			return func(e Engine) error { return e.EnableClass(class.ID, !class.Disabled) }
		}
	}
	return nil
}

// without returns the class's examples that are not among the given ones, sorted.
func (h *had) without(examples []string) []string {
	shared := 0
	for _, id := range examples {
		if h.examples[id] {
			shared++
		}
	}
	if shared == len(h.examples) {
		return nil
	}
	gone := maps.Clone(h.examples)
	for _, id := range examples {
		delete(gone, id)
	}
	return slices.Sorted(maps.Keys(gone))
}

// nextRestored returns the call that restores the next examples that the engine lacks. The lock is
// held.
func (c *Classes) nextRestored() operation {
	for _, class := range c.list {
		h := c.hadOf(class.ID)
		if h == nil { // added since: another sync follows
			continue
		}
		var ids []string
		for _, id := range class.Examples {
			if !h.examples[id] && !h.missing[id] && !c.unseen.ids[id] && len(ids) < restoredAtOnce {
				h.examples[id] = true
				ids = append(ids, id)
			}
		}
		if len(ids) > 0 {
			return func(e Engine) error {
				restored, err := e.RestoreExamples(class.ID, ids)
				c.Update(func() {
					for _, id := range ids {
						if !slices.Contains(restored.Taught, id) {
							delete(h.examples, id)
							h.missing[id] = true
						}
					}
					if c.project == h.project {
						c.keep = c.keep || restored.Embedded > 0
						if c.opening != nil {
							c.opening = &Progress{min(c.opening.Done+len(ids), c.opening.All), c.opening.All}
						}
					}
				})
				return err
			}
		}
	}
	return nil
}
