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
	project  int // see Classes.project: classes of different projects may have the same id
	label    string
	disabled bool
	examples map[string]bool
	missing  map[string]bool // examples that could not be restored: see again
}

// hadOf returns the engine's class for a class of the present project, or nil. The lock is held.
func (c *Classes) hadOf(classID string) *had {
	if h := c.had[classID]; h != nil && h.project == c.project {
		return h
	}
	return nil
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
	c.call(e, c.nextChanges)
	if err := c.K.Setup.follow(e); err != nil {
		c.K.Notices.Trouble(err)
	}
	c.call(e, c.restoring())
	keep := false
	c.Update(func() { keep, c.keep, c.opening = c.keep, false, nil })
	if keep {
		c.edited()
	}
	return nil
}

// call makes the calls that next returns, until it returns none. next is called with the lock.
func (c *Classes) call(e Engine, next func() []operation) {
	for {
		c.Lock()
		calls := next()
		c.Unlock()
		if len(calls) == 0 {
			return
		}
		for _, do := range calls {
			if err := do(e); err != nil {
				c.K.Notices.Trouble(err)
			}
		}
	}
}

// changedAtOnce is the number of changes that the engine gets before the classes are compared again:
// comparing thousands of classes takes time.
const changedAtOnce = 100

// nextChanges returns the next changes of the engine's classes: removals first. The lock is held.
func (c *Classes) nextChanges() (calls []operation) {
	add := func(do operation) { calls = append(calls, do) }
	page := map[string]bool{}
	for _, class := range c.list {
		page[class.ID] = true
	}
	for id, h := range c.had {
		if !page[id] || h.project != c.project {
			delete(c.had, id)
			add(func(e Engine) error { return e.RemoveClass(id) })
		}
	}
	for _, class := range c.list {
		if h := c.had[class.ID]; h != nil {
			for _, id := range h.without(class.Examples) {
				delete(h.examples, id)
				add(func(e Engine) error { return e.RemoveExample(id) })
			}
		}
	}
	for _, class := range c.list {
		if len(calls) >= changedAtOnce {
			break
		}
		h := c.had[class.ID]
		if h == nil {
			h = &had{project: c.project, label: class.Label, examples: map[string]bool{}, missing: map[string]bool{}}
			c.had[class.ID] = h
			add(func(e Engine) error { return e.AddClass(class.ID, class.Label, class.Nothing) })
		}
		if h.label != class.Label {
			h.label = class.Label
			add(func(e Engine) error { return e.RenameClass(class.ID, class.Label) })
		}
		if h.disabled != class.Disabled {
			h.disabled = class.Disabled
			add(func(e Engine) error { return e.EnableClass(class.ID, !class.Disabled) })
		}
	}
	return calls
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

// restoring returns a function for call, whose calls restore the examples that the engine lacks. It passes the
// classes once: after changes, another sync follows.
func (c *Classes) restoring() func() []operation {
	at := 0
	return func() []operation {
		for ; at < len(c.list); at++ {
			class := c.list[at]
			h := c.hadOf(class.ID)
			if h == nil { // added since
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
				return []operation{func(e Engine) error { return c.restore(e, h, class.ID, ids) }}
			}
		}
		return nil
	}
}

// restore restores examples of the engine's class h, and records which it has then.
func (c *Classes) restore(e Engine, h *had, classID string, ids []string) error {
	restored, err := e.RestoreExamples(classID, ids)
	taught, tell := setOf(restored.Taught), false
	c.Lock()
	for _, id := range ids {
		if !taught[id] {
			delete(h.examples, id)
			h.missing[id] = true
		}
	}
	if c.project == h.project {
		c.keep = c.keep || restored.Embedded > 0
		if c.opening != nil {
			c.opening = &Progress{min(c.opening.Done+len(ids), c.opening.All), c.opening.All}
			tell = c.due()
		}
	}
	c.Unlock()
	if tell {
		c.K.Project.Update(func() {})
	}
	return err
}
