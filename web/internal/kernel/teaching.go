package kernel

import "slices"

// Examples on their way to the engine: a batch of those that come together, each
// announced with wait before it is taught.

// batch is examples that come together: while a button is held once, or of files that
// were added once, to one class or to many. It is one step. Undoing it takes all of them
// back, also where other steps and batches began meanwhile, and drops those to come.
type batch struct {
	project int
	waiting map[string]int  // pictures on their way, by class
	ended   map[string]bool // classes that take no more of it
	stopped bool            // no class does
	taught  bool            // some have come
}

// gather begins a batch, of the project that is open, with changes of the classes that
// belong to it; what they return is told to the engine. The batch lasts until finish.
func (c *Classes) beginBatch(change func() []operation) *batch {
	b := &batch{waiting: map[string]int{}, ended: map[string]bool{}}
	c.Update(func() {
		b.project = c.project
		before := c.snapshot()
		told := change()
		b.taught = len(told) > 0
		c.coming = append(c.coming, b)
		c.remember(step{kind: StepAddExamples, classes: before, batch: b})
		c.enqueue(told...)
	})
	c.K.Notices.Dismiss(NoticeUndo)
	return b
}

// together begins a batch.
func (c *Classes) newBatch() *batch { return c.beginBatch(func() []operation { return nil }) }

// finish ends a batch, of which nothing waits any more. One of which nothing came is no step.
func (c *Classes) endBatch(b *batch) {
	c.Update(func() {
		c.stop(b)
		if !b.taught {
			c.past = slices.DeleteFunc(c.past, func(s step) bool { return s.batch == b })
		}
	})
}

// stop drops what is still to come of a batch. The lock is held.
func (c *Classes) stop(b *batch) {
	b.stopped = true
	c.coming = slices.DeleteFunc(c.coming, func(o *batch) bool { return o == b })
}

// stopFor drops what is still to come for a class. The lock is held.
func (c *Classes) stopFor(classID string) {
	for _, b := range c.coming {
		b.ended[classID] = true
		delete(b.waiting, classID)
	}
}

// waiting counts the pictures on their way to being examples of a class. The lock is held.
func (c *Classes) waiting(classID string) (n int) {
	for _, b := range c.coming {
		n += b.waiting[classID]
	}
	return n
}

// wait announces n more pictures of a batch for a class, or takes back the announcement.
func (c *Classes) announce(b *batch, classID string, n int) {
	c.Update(func() {
		if !b.ended[classID] {
			b.waiting[classID] += n
		}
	})
}

// unwanted reports whether a batch's pictures for a class are to come to nothing. The
// lock is held.
func (c *Classes) stopped(b *batch, classID string) bool {
	return b.stopped || b.ended[classID] || c.project != b.project || find(c.list, classID) == nil
}

// teach makes the picture an example of the class: one that was announced with wait. It
// blocks until the engine has embedded it. Its error has CodeUnknown when the class, the
// project or the batch has gone meanwhile.
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
				c.enqueue(func(e Engine) error {
					_ = e.RemoveExample(id) // It went with its class, most likely.
					return nil
				})
				if c.project == b.project {
					c.discard(id)
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

// arrive makes an example of a batch one of the class: now, and in all that was noted
// since the batch began. The lock is held.
func (c *Classes) insert(b *batch, classID, id string) {
	b.taught = true
	c.revision++
	join := func(classes []Class) {
		if class := find(classes, classID); class != nil {
			class.Examples = append(slices.Clip(class.Examples), id)
		}
	}
	class := find(c.list, classID)
	class.Examples = append(class.Examples, id)
	since := 1 + slices.IndexFunc(c.past, func(s step) bool { return s.batch == b })
	for _, later := range [][]step{c.past[since:], c.future} {
		for _, s := range later {
			join(s.classes)
		}
	}
}
