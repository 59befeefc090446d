package kernel

import (
	"strconv"
	"strings"

	"github.com/deepemd/deepemd/core/project"
)

// restoredAtOnce is how many examples the engine is given back at a time: so many that
// the way there and back does not count, so few that progress is seen.
const restoredAtOnce = 50

// Opening is how many examples of the project that was opened are back; nil when all
// are.
func (c *Classes) Opening() *Progress {
	c.Lock()
	defer c.Unlock()
	return copied(c.opening)
}

// settle waits until the engine has been told everything and all examples are back.
func (c *Classes) waitRestored() {
	for {
		coming := c.Opening() != nil || c.Learning() != nil
		c.K.Engine.Drain()
		if !coming {
			return
		}
	}
}

// introduce tells an engine that is about to be connected the classes and, once it
// recognises as the person chose, which setup sees to, their examples.
func (c *Classes) register(setup operation) {
	c.Lock()
	defer c.Unlock()
	c.known = true
	names := make([]Class, len(c.list))
	for i, class := range c.list {
		names[i] = Class{ID: class.ID, Label: class.Label, Nothing: class.Nothing}
	}
	told := append(c.diff(nil, names), setup)
	told = append(told, c.diff(names, c.list)...)
	if c.opening != nil {
		told = append(told, c.endRestore())
	}
	c.K.Engine.pushFront(told...)
}

// open puts the classes of another project in the place of those of the given revision,
// and brings their examples back into the engine. Between the two, while there are no
// classes, it calls accept, and setup for what makes the engine recognise as the person
// chose. With keep, the project is to be kept once all examples are back.
//
// It returns the revision of the new classes; ok is false, and nothing changed, when
// there were changes since the given one.
//
// The engine sees the examples whose ids are in unseen later, in the background.
func (c *Classes) open(kept []project.Class, unseen []string, revision int, keep bool, setup func() operation, accept func()) (opened int, ok bool) {
	c.Update(func() {
		if ok = c.revision == revision; !ok {
			return
		}
		c.project++
		c.revision++
		c.past, c.future, c.coming, c.gone = nil, nil, nil, nil
		c.opening, c.keep = nil, false
		c.enqueue(c.replace(nil)...) // Nothing of before stays, also where ids are the same.
		c.unseen = background{ids: setOf(unseen), running: c.unseen.running}
	})
	if !ok {
		return 0, false
	}
	c.K.Notices.Dismiss(NoticeUndo)
	accept()
	follow := setup()
	c.Update(func() {
		classes, all := classesOf(kept), 0
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

// allRestored is what ends the opening of the project that is open now. The lock is
// held.
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

// restore gives the engine back examples of a class. When some had to be embedded again,
// the project is to be kept again: once, after all examples of one that is being opened.
// The lock is held.
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

// used makes sure that no new id is the given one. The lock is held.
func (c *Classes) reserve(id string) {
	// The number at its end, unless it is too large to count on from.
	const digits = 9
	number := id[len(strings.TrimRight(id, "0123456789")):]
	number = number[max(0, len(number)-digits):]
	if n, err := strconv.Atoi(number); err == nil {
		c.last = max(c.last, n)
	}
}
