package kernel

import (
	"slices"
	"strings"

	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/internal/foreign"
	"github.com/deepemd/deepemd/web/internal/texts"
)

// newExamples returns ids for n future examples.
func (c *Classes) newExamples(n int) []string {
	c.Lock()
	defer c.Unlock()
	ids := make([]string, n)
	for i := range ids {
		ids[i] = c.newID("example")
	}
	return ids
}

// addFolders adds examples, whose contents the store has, to the class with the given id. If that is
// "" or the class was removed, they go to the classes of the folders' names: existing ones, otherwise
// empty classes with their initial name, otherwise new ones. It is one step, and the engine embeds the
// examples in the background.
func (c *Classes) addFolders(folders []foreign.Class, examples [][]string, classID string) {
	t := c.K.Texts()
	to := make([]string, len(folders))
	for i, folder := range folders {
		to[i] = classID
		if classID == "" && strings.EqualFold(folder.Label, t.Class.Nothing) {
			to[i] = c.Nothing()[0].ID
		}
		c.begin(to[i])
	}
	c.edit(StepAddExamples, func() bool {
		for i, folder := range folders {
			class := find(c.list, to[i])
			if class == nil {
				class, _ = c.named(folder.Label, t)
			}
			class.Examples = append(slices.Clip(class.Examples), examples[i]...)
			for _, id := range examples[i] {
				c.unseen.ids[id] = true
			}
		}
		return true
	})
}

// named returns the class of a name, which may be "": the existing one, otherwise an empty class
// with its initial name, otherwise a new one. The lock is held.
func (c *Classes) named(label string, t *texts.Texts) (class *Class, changed bool) {
	i := slices.IndexFunc(c.list, func(o Class) bool { return strings.EqualFold(o.Label, label) })
	if i >= 0 {
		return &c.list[i], false
	}
	i = slices.IndexFunc(c.list, func(o Class) bool {
		return o.number > 0 && len(o.Examples) == 0 && c.waiting(o.ID) == 0 && !o.Nothing
	})
	number := 0
	switch {
	case i >= 0 && label == "":
		return &c.list[i], false
	case i >= 0:
		class = &c.list[i]
	default:
		if label == "" {
			label, number = c.freeLabel(t)
		}
		class = c.make(label)
	}
	class.Label, class.number = label, number
	return class, true
}

// fill starts a batch for the classes of some names. It returns their ids in the order of the names.
func (c *Classes) fill(labels []string) (ids []string, b *batch) {
	t := c.K.Texts()
	b = c.beginBatch(func() (any bool) {
		for _, label := range labels {
			class, changed := c.named(label, t)
			ids, any = append(ids, class.ID), any || changed
		}
		return any
	})
	c.edited()
	return ids, b
}

// Described returns the i-th class of a new project. If label is "", it gets the initial name of
// its position.
func (c *Classes) Described(i int, label string, ids []string) project.Class {
	t := c.K.Texts()
	c.Lock()
	defer c.Unlock()
	class := project.Class{ID: c.newID("class"), Label: label, Hue: i % Hues, Examples: make([]project.Example, len(ids))}
	if label == "" {
		class.Label = t.Class.Default(i + 1)
	}
	for k, id := range ids {
		class.Examples[k].ID = id
	}
	return class
}
