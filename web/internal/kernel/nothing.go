package kernel

import "slices"

// A class of nothing holds examples of what is none of the classes, such as the empty
// scene. It is not among those that List returns: answers have no score for it, and what
// looks like it is unknown.

// Nothing returns the classes of nothing: those of the project, mostly one. Where there
// is none, it is one without examples, which begins with its first example.
func (c *Classes) Nothing() []Class {
	c.Lock()
	defer c.Unlock()
	list := c.filter(func(class Class) bool { return class.Nothing })
	if len(list) == 0 {
		list = []Class{{ID: c.nothingID(), Nothing: true}}
	}
	return list
}

// nothingID is the id of a class of nothing that has not begun. The lock is held.
func (c *Classes) nothingID() string {
	id := "nothing"
	for find(c.list, id) != nil {
		id += "-"
	}
	return id
}

// begin adds the class of nothing if it has the id and has not begun. Examples of it wait
// until the engine has been told: see EngineQueue.barrier.
func (c *Classes) begin(id string) {
	label := c.K.Texts().Class.Nothing
	c.Update(func() {
		if id != c.nothingID() || slices.ContainsFunc(c.list, func(o Class) bool { return o.Nothing }) {
			return
		}
		c.list = append(slices.Clone(c.list), Class{ID: id, Label: label, Nothing: true})
		c.enqueue(func(e Engine) error { return e.AddClass(id, label, true) })
	})
}
