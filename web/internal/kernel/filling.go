package kernel

import (
	"slices"
	"strings"

	"github.com/deepemd/deepemd/core/project"
)

// Folder holds the examples of one class of an import.
type Folder struct {
	ClassID  string   // the class of the examples; "" for the class named Label
	Label    string   // "" if it has no name
	Examples []string // ids from newExamples
}

// newExamples returns ids for n future examples, and the project that they belong to.
func (c *Classes) newExamples(n int) (ids []string, project int) {
	c.Lock()
	defer c.Unlock()
	ids = make([]string, n)
	for i := range ids {
		ids[i] = c.newID("example")
	}
	return ids, c.project
}

// addFolders adds examples, whose contents the store has, to the classes of their names: existing
// ones, otherwise empty classes with their initial name, otherwise new ones. It is one step, and
// the engine embeds the examples in the background. If another project was opened since
// newExamples, ok is false and nothing changes.
func (c *Classes) addFolders(project int, folders []Folder) (ok bool) {
	t := c.K.Texts()
	folders = slices.Clone(folders)
	for i := range folders {
		if folder := &folders[i]; folder.ClassID == "" && strings.EqualFold(folder.Label, t.Class.Nothing) {
			folder.ClassID = c.Nothing()[0].ID
		}
		c.begin(folders[i].ClassID)
	}
	c.edit(StepAddExamples, func() bool {
		if ok = c.project == project; !ok {
			return false
		}
		free := func(o Class) bool {
			return o.number > 0 && len(o.Examples) == 0 && c.waiting(o.ID) == 0 && !o.Nothing
		}
		for _, folder := range folders {
			class := classFor(c.list, folder, free)
			if class == nil {
				label, number := folder.Label, 0
				if label == "" {
					label, number = c.freeLabel(t)
				}
				class = c.make(label)
				class.number = number
			} else if class.number > 0 && folder.Label != "" {
				class.Label, class.number = folder.Label, 0
			}
			class.Examples = append(slices.Clip(class.Examples), folder.Examples...)
			for _, id := range folder.Examples {
				c.unseen.ids[id] = true
			}
		}
		return true
	})
	return ok
}

// classFor returns the class for the examples of a folder; nil for a new class.
func classFor(classes []Class, folder Folder, free func(Class) bool) *Class {
	if folder.ClassID != "" {
		return find(classes, folder.ClassID)
	}
	for _, fits := range []func(Class) bool{
		func(o Class) bool { return strings.EqualFold(o.Label, folder.Label) },
		free,
	} {
		if i := slices.IndexFunc(classes, fits); i >= 0 {
			return &classes[i]
		}
	}
	return nil
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
