package kernel

import (
	"strconv"
	"strings"

	"github.com/deepemd/deepemd/core/project"
)

// restoredAtOnce is the number of examples that the engine restores in one operation. More would
// delay the progress bar; fewer would add overhead.
const restoredAtOnce = 50

// Opening returns the number of restored examples of the opened project; nil when all are restored.
func (c *Classes) Opening() *Progress {
	c.Lock()
	defer c.Unlock()
	return copied(c.opening)
}

// waitRestored waits until the queue is empty and all examples are restored.
func (c *Classes) waitRestored() {
	for {
		coming := c.Opening() != nil || c.Learning() != nil
		c.K.Engine.Drain()
		if !coming {
			return
		}
	}
}

// register queues the classes for an engine that is about to be connected, then setup, which
// configures it, then their examples.
func (c *Classes) register(setup operation) {
	c.Lock()
	defer c.Unlock()
	c.known = true
	names := make([]Class, len(c.list))
	for i, class := range c.list {
		names[i] = Class{ID: class.ID, Label: class.Label, Nothing: class.Nothing}
	}
	ops := append(c.diff(nil, names), setup)
	ops = append(ops, c.diff(names, c.list)...)
	if c.opening != nil {
		ops = append(ops, c.endRestore())
	}
	c.K.Engine.pushFront(ops...)
}

// open replaces the classes of the given revision with the classes of another project, and restores
// their examples in the engine. While there are no classes, it calls accept, and setup for the
// operation that configures the engine. With keep, the project is saved once all examples are
// restored.
//
// It returns the revision of the new classes. If the classes have changed since the given revision,
// ok is false and nothing changes. The engine embeds the examples in unseen later, in the
// background.
func (c *Classes) open(kept []project.Class, unseen []string, revision int, keep bool, setup func() operation, accept func()) (opened int, ok bool) {
	c.Update(func() {
		if ok = c.revision == revision; !ok {
			return
		}
		c.project++
		c.revision++
		c.past, c.future, c.coming, c.gone = nil, nil, nil, nil
		c.opening, c.keep = nil, false
		c.enqueue(c.replace(nil)...) // even if the new classes have the same ids
		c.unseen = background{ids: setOf(unseen), running: c.unseen.running}
	})
	if !ok {
		return 0, false
	}
	c.K.Notices.Dismiss(NoticeUndo)
	accept()
	follow, t := setup(), c.K.Texts()
	c.Update(func() {
		classes, all := classesOf(kept, t), 0
		for _, class := range classes {
			c.reserve(class.ID)
			for _, id := range class.Examples {
				c.reserve(id)
			}
			all += len(class.Examples)
		}
		all -= len(unseen)
		c.hue = len(classes)
		c.revision++
		c.enqueue(follow)
		if all > 0 {
			c.opening, c.keep = &Progress{0, all}, keep
		}
		c.enqueue(c.replace(classes)...)
		if all > 0 {
			c.enqueue(c.endRestore())
		}
		opened = c.revision
	})
	return opened, true
}

// endRestore returns the operation that ends the opening of the present project. The lock is held.
func (c *Classes) endRestore() operation {
	now := c.project
	return func(Engine) error {
		keep := false
		c.Update(func() {
			if c.project == now {
				c.opening = nil
				keep, c.keep = c.keep, false
			}
		})
		if keep {
			c.edited()
		}
		return nil
	}
}

// restore returns the operation that restores examples of a class. If the engine had to embed some
// of them, the project is saved; a project that is being opened is saved once. The lock is held.
func (c *Classes) restore(classID string, ids []string) operation {
	now := c.project
	return func(e Engine) error {
		c.Lock()
		gone := c.project != now
		c.Unlock()
		if gone {
			return nil
		}
		restored, err := e.RestoreExamples(classID, ids)
		embedded := restored.Embedded
		keep := false
		c.Update(func() {
			switch {
			case c.project != now:
			case c.opening != nil:
				c.opening.Done = min(c.opening.Done+len(ids), c.opening.All)
				c.keep = c.keep || embedded > 0
			default:
				keep = embedded > 0
			}
		})
		if keep {
			c.edited()
		}
		return err
	}
}

// reserve prevents newID from returning an id. The lock is held.
func (c *Classes) reserve(id string) {
	// longer numbers would overflow
	const digits = 9
	number := id[len(strings.TrimRight(id, "0123456789")):]
	number = number[max(0, len(number)-digits):]
	if n, err := strconv.Atoi(number); err == nil {
		c.last = max(c.last, n)
	}
}
