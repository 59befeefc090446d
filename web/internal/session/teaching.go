package session

// Examples on their way to the engine: a batch of those that come together, each
// announced with wait before it is taught.

// batch is examples that come together, and go together when that is undone.
type batch struct{ project int }

// newBatch returns a batch of the project that is open.
func (c *Classes) newBatch() *batch {
	c.mu.Lock()
	defer c.mu.Unlock()
	return &batch{c.project}
}

// wait announces n more pictures for a class, or takes back the announcement.
func (c *Classes) wait(classID string, n int) {
	c.update(func() {
		if class := find(c.list, classID); class != nil {
			class.Waiting += n
		}
	})
}

// teach makes the picture an example of the class: one that was announced with wait. It
// blocks until the engine has embedded it. Its error has CodeUnknown when the class, or
// the project, has gone meanwhile.
func (c *Classes) teach(classID string, source Source, together *batch) error {
	c.mu.Lock()
	id, gone := c.newID("example"), c.project != together.project
	c.mu.Unlock()
	if gone {
		return &Error{Code: CodeUnknown, Message: "another project was opened"}
	}
	err := c.queue.wait().AddExample(classID, id, source)
	wanted := false
	c.update(func() {
		class := find(c.list, classID)
		if class == nil || c.project != together.project {
			if err == nil {
				c.tell(func(e Engine) error {
					_ = e.RemoveExample(id) // It went with its class, most likely.
					return nil
				})
			}
			return
		}
		if class.Waiting--; err == nil {
			c.remember(step{StepAddExamples, c.frozen(), together})
			class.Examples = append(class.Examples, id)
			wanted = true
		}
	})
	if wanted {
		c.edited()
	}
	return err
}
