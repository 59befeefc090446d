package kernel

import "slices"

// Background classes hold examples of the scene without any of the things. List does not return
// them: answers have no score for them, and images that resemble them are unknown.

// Nothing returns the background classes of the project, usually one. If there is none, it returns
// an empty one, which begin adds.
func (c *Classes) Nothing() []Class {
	list := c.filter(func(class Class) bool { return class.Nothing })
	if len(list) == 0 {
		c.Lock()
		defer c.Unlock()
		list = []Class{c.copied(Class{ID: c.nothingID(), Nothing: true})}
	}
	return list
}

// nothingID returns the id of the background class that begin would add. The lock is held.
func (c *Classes) nothingID() string {
	id := "nothing"
	for find(c.list, id) != nil {
		id += "-"
	}
	return id
}

// begin adds the background class if it has the id and does not exist yet. Its examples must wait
// for the engine: see EngineQueue.Barrier.
func (c *Classes) begin(id string) {
	label := c.K.Texts().Class.Nothing
	c.Update(func() {
		if id != c.nothingID() || slices.ContainsFunc(c.list, func(o Class) bool { return o.Nothing }) {
			return
		}
		c.list = append(slices.Clone(c.list), Class{ID: id, Label: label, Nothing: true})
		c.tell()
	})
}
