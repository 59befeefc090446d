package kernel

import (
	"slices"
	"time"
)

// Examples that no engine has seen: pictures of somebody else's project or of folders, by
// the thousand. They are examples at once, shown and kept; the engine embeds them in the
// background, a few at a time, between other things that it is told and while it answers.
// A page that is closed meanwhile goes on at the next visit.

const (
	// embeddedAtOnce is how many it embeds before something else may have its turn.
	embeddedAtOnce = 4
	// countedEvery is how often the page says how far that is.
	countedEvery = 250 * time.Millisecond
	// keptEvery is after how many examples their embeddings are kept.
	keptEvery = 64
	// mostFailures is how often in a row the engine may fail before that ends.
	mostFailures = 3
)

// background is the embedding of unseen examples.
type background struct {
	ids      map[string]bool // that no engine has seen, also of classes that were taken back
	running  bool
	all      int       // when it began, and since
	left     int       // of these
	kept     int       // embedded since they were kept
	failures int       // in a row
	counted  time.Time // when the page said how far it is
	refused  []refusal
}

// Learning is how many of the examples that no engine had seen are embedded; nil when all
// are.
func (c *Classes) Learning() *Progress {
	c.Lock()
	defer c.Unlock()
	if !c.unseen.running {
		return nil
	}
	return &Progress{c.unseen.all - c.unseen.left, c.unseen.all}
}

// forget has the engine forget an example that it has seen. The operation is told after
// the example went.
func (c *Classes) forget(id string) operation {
	return func(e Engine) error {
		c.Lock()
		unseen := c.unseen.ids[id]
		c.Unlock()
		if unseen {
			return nil
		}
		return e.RemoveExample(id)
	}
}

// embedUnseen has the examples embedded that no engine has seen. The lock is held.
func (c *Classes) embedUnseen() {
	before := c.unseen.left
	if !c.unseen.running {
		before = 0
	}
	_, _, c.unseen.left = c.nextUnseen()
	switch {
	case c.unseen.running:
		c.unseen.all = max(c.unseen.all+c.unseen.left-before, c.unseen.left)
	case c.unseen.left > 0:
		c.unseen.running, c.unseen.all, c.unseen.failures, c.unseen.refused = true, c.unseen.left, 0, nil
		c.K.Engine.pushIdle(c.embedSome)
	}
}

// nextUnseen returns examples to be embedded next, of the class that the engine has seen
// least of, so that answers soon know all classes; and how many are left with them. The
// lock is held.
func (c *Classes) nextUnseen() (classID string, ids []string, left int) {
	if len(c.unseen.ids) == 0 {
		return "", nil, 0
	}
	fewest := 0
	for _, class := range c.list {
		var some []string
		unseen := 0
		for _, id := range class.Examples {
			if !c.unseen.ids[id] {
				continue
			}
			unseen++
			if len(some) < embeddedAtOnce {
				some = append(some, id)
			}
		}
		left += unseen
		if seen := len(class.Examples) - unseen; unseen > 0 && (ids == nil || seen < fewest) {
			classID, ids, fewest = class.ID, some, seen
		}
	}
	return classID, ids, left
}

// embedSome embeds the next examples, and stands in line again while there are more.
func (c *Classes) embedSome(e Engine) error {
	c.Lock()
	classID, ids, left := c.nextUnseen()
	c.unseen.left = left
	waits := len(c.K.Engine.queue) > 0 // The engine may not know the class yet.
	now := c.project
	if waits {
		c.K.Engine.pushIdle(c.embedSome)
	}
	c.Unlock()
	if waits {
		return nil
	}
	if left == 0 {
		c.allEmbedded()
		return nil
	}
	restored, err := e.RestoreExamples(classID, ids)
	c.embedded(now, classID, restored)
	if err != nil {
		c.Lock()
		c.unseen.failures++
		ends := c.unseen.failures >= mostFailures || CodeOf(err) == CodeOutOfMemory
		c.Unlock()
		if ends {
			c.allEmbedded()
			return err
		}
	}
	c.Lock()
	defer c.Unlock()
	c.K.Engine.pushIdle(c.embedSome)
	return nil
}

// embedded takes note of what the engine made of examples. Those that hold no picture
// leave their class.
func (c *Classes) embedded(project int, classID string, restored Restored) {
	tell, keep := false, false
	c.Lock()
	if c.project != project {
		c.Unlock()
		return
	}
	for _, id := range restored.Taught {
		delete(c.unseen.ids, id)
	}
	if len(restored.Taught) > 0 {
		c.unseen.failures = 0
	}
	c.unseen.left -= len(restored.Taught) + len(restored.Refused)
	c.unseen.kept += len(restored.Taught)
	if now := time.Now(); now.Sub(c.unseen.counted) >= countedEvery {
		c.unseen.counted, tell = now, true
	}
	if c.unseen.kept >= keptEvery {
		c.unseen.kept, keep = 0, true
	}
	if class := find(c.list, classID); class != nil && len(restored.Refused) > 0 {
		class.Examples = slices.DeleteFunc(slices.Clone(class.Examples), func(id string) bool {
			return slices.ContainsFunc(restored.Refused, func(r RefusedExample) bool { return r.ID == id })
		})
		for _, r := range restored.Refused {
			c.unseen.refused = append(c.unseen.refused, refusal{r.Name, r.Err})
			c.discard(r.ID)
		}
		c.revision++
		tell, keep = true, true
	}
	refused := slices.Clip(c.unseen.refused)
	c.Unlock()
	if tell {
		c.Update(func() {})
	}
	if keep {
		c.K.Project.Touch()
		c.K.Live.Reclassify()
	}
	if len(restored.Refused) > 0 {
		c.K.Notices.Post(notPictures(refused))
	}
}

// allEmbedded ends the embedding: all examples are embedded, or it has failed.
func (c *Classes) allEmbedded() {
	done := 0
	c.Update(func() {
		done = c.unseen.all - c.unseen.left
		c.unseen = background{ids: c.unseen.ids}
	})
	if done > 0 {
		c.edited()
		c.K.Live.Reclassify()
	}
}
