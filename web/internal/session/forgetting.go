package session

// What was deleted can come back, as long as a step leads to it. What no step leads to any
// more is let go of: a page that runs for weeks, where people take examples and delete
// them, holds no more than what it shows and a number of steps.

// lost notes what steps that nobody can take any more lead to. The lock is held.
func (c *Classes) lost(steps []step) {
	for _, s := range steps {
		for _, class := range s.classes {
			for _, id := range class.Examples {
				c.away(id)
			}
		}
	}
}

// away notes an example that may have gone for good. The lock is held.
func (c *Classes) away(id string) {
	if c.gone == nil {
		c.gone = map[string]bool{}
	}
	c.gone[id] = true
}

// letGo calls forget with the examples that went for good, once the engine has done all
// that it was told, which may be with one of these. It is called once the project was
// kept, or could not be: nothing that is kept later has them.
func (c *Classes) letGo(forget func(ids []string)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	ids, now := c.beyondReach(), c.project
	if len(ids) == 0 {
		return
	}
	c.queue.tell(func(Engine) error {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.project == now { // else the ids may be another's
			for _, id := range ids {
				delete(c.unseen.ids, id)
			}
			forget(ids)
		}
		return nil
	})
}

// beyondReach returns the examples that went for good since it was last called. The lock
// is held.
func (c *Classes) beyondReach() (ids []string) {
	if len(c.gone) == 0 {
		return nil
	}
	keep := func(classes []Class) {
		for _, class := range classes {
			for _, id := range class.Examples {
				delete(c.gone, id)
			}
		}
	}
	keep(c.list)
	for _, steps := range [][]step{c.past, c.future} {
		for _, s := range steps {
			keep(s.classes)
		}
	}
	for id := range c.gone {
		ids = append(ids, id)
	}
	c.gone = nil
	return ids
}
