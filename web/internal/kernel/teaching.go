package kernel

import "slices"

// A batch of new examples waits for the engine: each example is announced before teach.

// batch is a set of examples that are added together: while a button is held, or from files, to one
// or many classes. It is one step. Undo removes all of them, even if other steps and batches have
// begun since, and drops the queued ones.
type batch struct {
	project int
	waiting map[string]int  // queued images of each class
	ended   map[string]bool // classes that take no more
	stopped bool            // for all classes
	taught  bool            // at least one example was added
}

// beginBatch starts a batch with a change of the classes; change reports whether there is one.
// endBatch ends it.
func (c *Classes) beginBatch(change func() bool) *batch {
	b := &batch{waiting: map[string]int{}, ended: map[string]bool{}}
	c.Update(func() {
		b.project = c.project
		before := c.snapshot()
		b.taught = change()
		c.coming = append(c.coming, b)
		c.remember(step{kind: StepAddExamples, classes: before, batch: b})
		c.tell()
	})
	c.K.Notices.Dismiss(NoticeUndo)
	return b
}

func (c *Classes) newBatch() *batch { return c.beginBatch(func() bool { return false }) }

// endBatch ends a batch and saves it. If it has added no example, it is not a step.
func (c *Classes) endBatch(b *batch) {
	c.Update(func() {
		c.stop(b)
		if !b.taught {
			c.past = slices.DeleteFunc(c.past, func(s step) bool { return s.batch == b })
		}
	})
	_ = c.K.Project.Flush() // a notice reports a failure
}

// stop drops the rest of a batch. The lock is held.
func (c *Classes) stop(b *batch) {
	b.stopped = true
	c.coming = slices.DeleteFunc(c.coming, func(o *batch) bool { return o == b })
}

// stopFor drops the queued examples of a class. The lock is held.
func (c *Classes) stopFor(classID string) {
	for _, b := range c.coming {
		b.ended[classID] = true
		delete(b.waiting, classID)
	}
}

// waiting returns the number of queued examples of a class. The lock is held.
func (c *Classes) waiting(classID string) (n int) {
	for _, b := range c.coming {
		n += b.waiting[classID]
	}
	return n
}

func (c *Classes) addWaiting(b *batch, classID string, n int) {
	c.Update(func() {
		if !b.ended[classID] {
			b.waiting[classID] += n
		}
	})
}

// stopped reports whether to drop a batch's examples of a class. The lock is held.
func (c *Classes) stopped(b *batch, classID string) bool {
	return b.stopped || b.ended[classID] || c.project != b.project || find(c.list, classID) == nil
}

// teach embeds an announced image and adds it to the class. It blocks for the engine. It returns an
// error of CodeUnknown if the class, the project or the batch is gone.
func (c *Classes) teach(b *batch, classID string, source Source) error {
	gone := &Error{Code: CodeUnknown, Message: "the class, or what came to it, was taken back"}
	c.Lock()
	id, unwanted := c.newID("example"), c.stopped(b, classID)
	c.Unlock()
	if unwanted {
		return gone
	}
	err := c.K.Engine.Wait().AddExample(classID, id, source)
	taught := false
	c.Update(func() {
		if unwanted = c.stopped(b, classID); unwanted {
			if err == nil {
				c.K.Engine.push(func(e Engine) error {
					if !c.restored(id) {
						_ = e.RemoveExample(id) // fails if the class is gone
					}
					return nil
				})
				if c.project == b.project {
					c.gone[id] = true
				}
			}
			return
		}
		if b.waiting[classID]--; err == nil {
			c.insert(b, classID, id)
			taught = true
		}
	})
	switch {
	case taught:
		c.edited()
	case unwanted && err == nil:
		return gone
	}
	return err
}

// restored reports whether the engine has an example with the given id for the open project, which
// may have been opened since.
func (c *Classes) restored(id string) bool {
	c.Lock()
	defer c.Unlock()
	for _, h := range c.had {
		if h.project == c.project && h.examples[id] {
			return true
		}
	}
	return false
}

// insert adds an example of a batch to its class, in the present and in all snapshots since the
// batch began. The lock is held.
func (c *Classes) insert(b *batch, classID, id string) {
	b.taught = true
	c.K.revisions.Document++
	if h := c.hadOf(classID); h != nil {
		h.examples[id] = true
	}
	class := find(c.list, classID)
	class.Examples = append(class.Examples, id)
	since := 1 + slices.IndexFunc(c.past, func(s step) bool { return s.batch == b })
	for _, s := range slices.Concat(c.past[since:], c.future) {
		if class := find(s.classes, classID); class != nil {
			class.Examples = append(slices.Clip(class.Examples), id)
		}
	}
}
