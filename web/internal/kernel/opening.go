package kernel

import (
	"strconv"
	"strings"
)

// Opening returns the number of restored examples of the opened project; nil when all are restored.
func (c *Classes) Opening() *Progress { return Get(&c.Part, &c.opening) }

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

// open replaces the classes with the classes of another project, and restores their examples in the
// engine. While there are no classes, it calls accept. With keep, the project is saved once all
// examples are restored. The engine embeds the unseen examples later, in the background.
//
// If the document has changed since the given revision, ok is false and nothing changes.
func (c *Classes) open(doc *Document, revision int, keep bool, accept func()) (ok bool) {
	c.Update(func() {
		if ok = c.K.revisions.Document == revision; !ok {
			return
		}
		c.project++
		c.list, c.past, c.future, c.coming = nil, nil, nil, nil
		c.gone, c.rejected = map[string]bool{}, map[string]bool{}
		c.opening, c.keep = nil, false
		c.unseen = background{ids: setOf(doc.Unseen), running: c.unseen.running}
		c.tell()
	})
	if !ok {
		return false
	}
	c.K.Notices.Dismiss(NoticeUndo)
	accept()
	t := c.K.Texts()
	c.Update(func() {
		c.list = classesOf(doc.Classes, t)
		c.reserve(c.list)
		for _, s := range doc.Past {
			classes := classesOf(s.Classes, t)
			c.reserve(classes)
			c.past = append(c.past, step{kind: s.Kind, classes: classes})
		}
		all := 0
		for _, class := range c.list {
			for _, id := range class.Examples {
				if !c.unseen.ids[id] {
					all++
				}
			}
		}
		c.hue = len(c.list)
		if all > 0 {
			c.opening, c.keep = &Progress{0, all}, keep
		}
		c.tell()
	})
	return true
}

// reserve prevents newID from returning ids of classes and of their examples. The lock is held.
func (c *Classes) reserve(classes []Class) {
	// longer numbers would overflow
	const digits = 9
	for _, class := range classes {
		for _, id := range append([]string{class.ID}, class.Examples...) {
			number := id[len(strings.TrimRight(id, "0123456789")):]
			number = number[max(0, len(number)-digits):]
			if n, err := strconv.Atoi(number); err == nil {
				c.last = max(c.last, n)
			}
		}
	}
}
