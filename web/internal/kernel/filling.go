package kernel

import (
	"slices"
	"strings"

	"github.com/deepemd/deepemd/core/project"
)

// Folder is examples of one class that come with those of others.
type Folder struct {
	ClassID  string   // the class that takes them; "" for the one that is called Label
	Label    string   // "" where nobody has named it
	Examples []string // their ids, of newExamples
}

// newExamples returns ids for examples that are on their way, and the project that they
// belong to.
func (c *Classes) newExamples(n int) (ids []string, project int) {
	c.Lock()
	defer c.Unlock()
	ids = make([]string, n)
	for i := range ids {
		ids[i] = c.newID("example")
	}
	return ids, c.project
}

// addFolders adds the examples of folders, which the store has, to the classes of their names:
// to those that there are, to empty ones that nobody has named, else to new ones. It is
// one step, and the engine sees them in the background. ok is false, and nothing has
// changed, when another project was opened since newExamples.
func (c *Classes) addFolders(project int, folders []Folder) (ok bool) {
	t := c.K.Texts()
	folders = slices.Clone(folders)
	for i := range folders {
		if folder := &folders[i]; folder.ClassID == "" && strings.EqualFold(folder.Label, t.Class.Nothing) {
			folder.ClassID = c.Nothing()[0].ID
		}
		c.begin(folders[i].ClassID)
	}
	c.edit(StepAddExamples, func() ([]operation, bool) {
		if ok = c.project == project; !ok {
			return nil, false
		}
		next := slices.Clone(c.list)
		// Classes that were kept do not know whether somebody has named them.
		unnamed := func(o Class) bool {
			for n := range len(next) {
				if o.Label == t.Class.Default(n+1) {
					return true
				}
			}
			return o.number > 0
		}
		free := func(o Class) bool {
			return unnamed(o) && len(o.Examples) == 0 && c.waiting(o.ID) == 0 && !o.Nothing
		}
		for _, folder := range folders {
			class := classFor(next, folder, free)
			if class == nil {
				fresh := Class{ID: c.newID("class"), Hue: c.hue % Hues, Label: folder.Label}
				if c.hue++; fresh.Label == "" {
					fresh.Label, fresh.number = c.freeLabel(t)
				}
				next = append(next, fresh)
				class = &next[len(next)-1]
			} else if unnamed(*class) && folder.Label != "" {
				class.Label, class.number = folder.Label, 0
			}
			class.Examples = append(slices.Clip(class.Examples), folder.Examples...)
			for _, id := range folder.Examples {
				c.unseen.ids[id] = true
			}
		}
		return c.replace(next), true
	})
	return ok
}

// taker is the class that takes the examples of a folder, of the classes or of those that
// are free; nil for a new one.
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

// Described is a class of a project that is made, the i-th of it. One that nobody has
// named gets the name of its place.
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
