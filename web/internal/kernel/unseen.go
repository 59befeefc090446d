package kernel

import (
	"slices"
	"time"
)

// Imported examples, often thousands, are shown and saved immediately. The engine embeds them in
// the background, a few at a time, when its queue is empty. If the page is closed, that continues
// at the next visit.

const (
	// embeddedAtOnce is the number of examples of one idle operation.
	embeddedAtOnce = 4
	// countedEvery is the interval of the progress.
	countedEvery = 250 * time.Millisecond
	// keptEvery is the number of embedded examples between saves.
	keptEvery = 64
	// mostFailures is the number of consecutive failures that ends the embedding.
	mostFailures = 3
)

// background is the state of the embedding.
type background struct {
	ids      map[string]bool // not embedded yet, including removed classes
	running  bool
	done     int // embedded or refused since it runs
	kept     int // embedded since the last save
	failures int // consecutive
	refused  []refusal
}

// Learning returns the number of embedded imported examples; nil when all are.
func (c *Classes) Learning() *Progress {
	c.Lock()
	defer c.Unlock()
	_, _, left := c.nextUnseen()
	if !c.unseen.running || c.unseen.done+left == 0 {
		return nil
	}
	return &Progress{c.unseen.done, c.unseen.done + left}
}

// embedUnseen starts the embedding, if necessary. The lock is held.
func (c *Classes) embedUnseen() {
	if _, _, left := c.nextUnseen(); left > 0 && !c.unseen.running {
		c.unseen = background{ids: c.unseen.ids, running: true}
		c.K.Engine.pushIdle(c.embedSome)
	}
}

// nextUnseen returns the next examples to embed, of the class with the fewest embedded ones, so
// that answers soon include all classes; and the number of all. The lock is held.
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

// due reports whether to show the progress of opening or embedding, at most every countedEvery. The project shows it:
// an update of the classes would draw thousands of cards. The lock is held.
func (c *Classes) due() bool {
	now := time.Now()
	if now.Sub(c.counted) < countedEvery {
		return false
	}
	c.counted = now
	return true
}

// embedSome embeds the next examples, and queues itself while there are more.
func (c *Classes) embedSome(e Engine) (err error) {
	c.Lock()
	classID, ids, left := c.nextUnseen()
	waits := len(c.K.Engine.queue) > 0 // The engine may not know the class yet.
	now := c.project
	c.Unlock()
	ends := left == 0
	if !ends && !waits {
		var restored Restored
		restored, err = e.RestoreExamples(classID, ids)
		ends = c.embedded(now, classID, restored, err)
	}
	if ends {
		c.allEmbedded()
		return err
	}
	c.Lock()
	defer c.Unlock()
	c.K.Engine.pushIdle(c.embedSome)
	return nil
}

// embedded records the result of a call, and reports whether to give up after its error. Examples
// that are not images leave their class.
func (c *Classes) embedded(project int, classID string, restored Restored, err error) (giveUp bool) {
	keep := false
	c.Lock()
	if c.project != project {
		c.Unlock()
		return false
	}
	h := c.hadOf(classID)
	for _, id := range restored.Taught {
		delete(c.unseen.ids, id)
		if h != nil {
			h.examples[id] = true
		}
	}
	if len(restored.Taught) > 0 {
		c.unseen.failures = 0
	}
	if err != nil {
		c.unseen.failures++
		giveUp = c.unseen.failures >= mostFailures || CodeOf(err) == CodeOutOfMemory
	}
	c.unseen.done += len(restored.Taught) + len(restored.Refused)
	c.unseen.kept += len(restored.Taught)
	tell := c.due()
	if c.unseen.kept >= keptEvery {
		c.unseen.kept, keep = 0, true
	}
	if class := find(c.list, classID); class != nil && len(restored.Refused) > 0 {
		class.Examples = slices.DeleteFunc(slices.Clone(class.Examples), func(id string) bool {
			return slices.ContainsFunc(restored.Refused, func(r RefusedExample) bool { return r.ID == id })
		})
		for _, r := range restored.Refused {
			c.rejected[r.ID] = true
			c.unseen.refused = append(c.unseen.refused, refusal{r.Name, r.Err})
			c.gone[r.ID] = true
		}
		c.K.revisions.Document++
		keep = true
	}
	refused := slices.Clip(c.unseen.refused)
	_, _, left := c.nextUnseen()
	added := left > 0 || c.unseen.done > len(refused)
	c.Unlock()
	switch {
	case len(restored.Refused) > 0:
		c.Update(func() {})
	case tell:
		c.K.Project.Update(func() {})
	}
	if keep {
		c.K.Project.Touch()
		c.K.Live.Reclassify()
	}
	if len(restored.Refused) > 0 {
		c.K.Notices.Post(notPictures(refused, added))
	}
	return giveUp
}

// allEmbedded ends the embedding, after success or failure.
func (c *Classes) allEmbedded() {
	done := 0
	c.Update(func() {
		done = c.unseen.done
		c.unseen = background{ids: c.unseen.ids}
	})
	if done > 0 {
		c.edited()
		c.K.Live.Reclassify()
	}
}
