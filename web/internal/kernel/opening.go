package kernel

import (
	"strconv"
	"strings"

	"github.com/deepemd/deepemd/core/project"
)

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

// open replaces the classes of the given revision with the classes of another project, and restores
// their examples in the engine. While there are no classes, it calls accept. With keep, the project
// is saved once all examples are restored.
//
// It returns the revision of the new classes. If the classes have changed since the given revision,
// ok is false and nothing changes. The engine embeds the examples in unseen later, in the
// background.
func (c *Classes) open(kept []project.Class, unseen []string, revision int, keep bool, accept func()) (opened int, ok bool) {
	c.Update(func() {
		if ok = c.revision == revision; !ok {
			return
		}
		c.project++
		c.revision++
		c.list, c.past, c.future, c.coming, c.gone = nil, nil, nil, nil, nil
		c.opening, c.keep = nil, false
		c.unseen = background{ids: setOf(unseen), running: c.unseen.running}
		c.tell()
	})
	if !ok {
		return 0, false
	}
	c.K.Notices.Dismiss(NoticeUndo)
	accept()
	t := c.K.Texts()
	c.Update(func() {
		c.list = classesOf(kept, t)
		all := -len(unseen)
		for _, class := range c.list {
			c.reserve(class.ID)
			for _, id := range class.Examples {
				c.reserve(id)
			}
			all += len(class.Examples)
		}
		c.hue = len(c.list)
		c.revision++
		if all > 0 {
			c.opening, c.keep = &Progress{0, all}, keep
		}
		c.tell()
		opened = c.revision
	})
	return opened, true
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
