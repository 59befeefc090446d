package kernel

import (
	"slices"
	"strconv"
	"time"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/web/internal/texts"
)

// Hues is the number of class colors; more classes share them.
const Hues = 8

// Class is a class as the page shows it.
type Class struct {
	ID       string
	Label    string // never empty
	Hue      int    // 0 … Hues-1
	Examples []string
	Waiting  int  // images in the queue: only in copies that methods return
	Disabled bool // excluded from answers, with all its examples
	Nothing  bool // a background class: see Classes.Nothing

	number int // in the initial name; 0 once the user has renamed the class
}

// Classes holds the classes of the open project with their examples and the history of steps. It
// tells the engine every change.
type Classes struct {
	Part
	list    []Class
	last    int             // the latest id's number
	hue     int             // of the next class
	project int             // incremented by every opened project: operations for an earlier one are dropped
	had     map[string]*had // by id

	past, future []step          // for undo and redo
	gone         map[string]bool // removed examples that may be out of reach: see unreachable
	coming       []*batch

	opening *Progress // examples restored after a project was opened
	keep    bool      // save the project after that
	counted time.Time // the latest progress shown

	unseen   background
	rejected map[string]bool // imported examples that turned out to be unusable
}

// edited notifies the followers of a change of examples, and saves the project.
func (c *Classes) edited() {
	c.K.Grow(func(r *Revisions) { r.Examples++ })
	c.K.Project.Touch()
}

// blank returns two empty classes for a new project.
func (c *Classes) blank() []project.Class {
	return []project.Class{c.Described(0, "", nil), c.Described(1, "", nil)}
}

// List returns the classes in the order of their creation, without background classes.
func (c *Classes) List() []Class {
	return c.filter(func(class Class) bool { return !class.Nothing })
}

// filter returns copies of some classes.
func (c *Classes) filter(which func(Class) bool) (list []Class) {
	c.Lock()
	defer c.Unlock()
	for _, class := range c.list {
		if which(class) {
			list = append(list, c.copied(class))
		}
	}
	return list
}

// copied returns a copy of a class. A single background class has the name of its card, not the
// file's. The lock is held.
func (c *Classes) copied(class Class) Class {
	if class.Nothing && !slices.ContainsFunc(c.list, func(o Class) bool { return o.Nothing && o.ID != class.ID }) {
		class.Label = c.K.Language.texts.Class.Nothing
	}
	class.Examples = slices.Clone(class.Examples)
	class.Waiting = c.waiting(class.ID)
	return class
}

// Find returns the class with the given id; ok is false if there is none.
func (c *Classes) Find(id string) (class Class, ok bool) {
	return c.first(func(o Class) bool { return o.ID == id })
}

// OwnerOf returns the class that an example belongs to; ok is false if there is none.
func (c *Classes) OwnerOf(exampleID string) (class Class, ok bool) {
	return c.first(func(o Class) bool { return slices.Contains(o.Examples, exampleID) })
}

func (c *Classes) first(which func(Class) bool) (class Class, ok bool) {
	c.Lock()
	defer c.Unlock()
	i := slices.IndexFunc(c.list, which)
	if i < 0 {
		return Class{}, false
	}
	return c.copied(c.list[i]), true
}

// Examples returns the number of examples of all classes.
func (c *Classes) Examples() int {
	c.Lock()
	defer c.Unlock()
	n := 0
	for _, class := range c.list {
		n += len(class.Examples)
	}
	return n
}

// Answering returns the classes that can win: enabled classes with examples, without background
// classes.
func (c *Classes) Answering() []Class {
	return c.filter(func(class Class) bool { return len(class.Examples) > 0 && !class.Disabled && !class.Nothing })
}

// Considers reports whether all classes of an answer still exist, have examples and are enabled.
func (c *Classes) Considers(a Answer) bool {
	if len(a.Scores) == 0 {
		return true
	}
	c.Lock()
	defer c.Unlock()
	considered := make(map[string]bool, len(c.list))
	for _, class := range c.list {
		considered[class.ID] = len(class.Examples) > 0 && !class.Disabled
	}
	return !slices.ContainsFunc(a.Scores, func(score answer.Score) bool { return !considered[score.ID] })
}

// document returns the classes in the form of a project file, and the steps that can be undone.
func (c *Classes) document() (classes []project.Class, past []Past) {
	c.Lock()
	defer c.Unlock()
	return described(c.list), c.pastSteps()
}

// described returns classes in the form of a project file. It omits an empty background class.
func described(list []Class) []project.Class {
	classes := make([]project.Class, 0, len(list))
	for _, class := range list {
		if class.Nothing && len(class.Examples) == 0 {
			continue
		}
		examples := make([]project.Example, len(class.Examples))
		for k, id := range class.Examples {
			examples[k] = project.Example{ID: id}
		}
		classes = append(classes, project.Class{
			ID: class.ID, Label: class.Label, Hue: class.Hue, Disabled: class.Disabled, Nothing: class.Nothing, Examples: examples,
		})
	}
	return classes
}

// classesOf returns the classes of a project file. Default names of any language follow the page's
// language.
func classesOf(kept []project.Class, t *texts.Texts) []Class {
	classes := make([]Class, len(kept))
	for i, k := range kept {
		classes[i] = Class{ID: k.ID, Hue: ((k.Hue % Hues) + Hues) % Hues, Disabled: k.Disabled, Nothing: k.Nothing}
		classes[i].Label, classes[i].number = t.ClassName(k.Label)
		for _, e := range k.Examples {
			classes[i].Examples = append(classes[i].Examples, e.ID)
		}
	}
	return classes
}

// newID returns an unused id. The lock is held.
func (c *Classes) newID(kind string) string {
	c.last++
	return kind + "-" + strconv.Itoa(c.last)
}

func find(classes []Class, id string) *Class {
	i := slices.IndexFunc(classes, func(c Class) bool { return c.ID == id })
	if i < 0 {
		return nil
	}
	return &classes[i]
}
