package kernel

import (
	"slices"
	"strconv"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/project"
)

// Hues is how many colours classes are told apart by; more classes share them.
const Hues = 8

// Class is one thing to tell apart, as shown to the person.
type Class struct {
	ID       string
	Label    string // what the person calls it; never empty
	Hue      int    // 0 … Hues-1
	Examples []string
	Waiting  int  // pictures on their way to being examples, as List and its like count them
	Disabled bool // passed over, with all its examples
	Nothing  bool // it only says what is none of the classes: see Classes.Nothing

	number int // of a class that still has the name it was made with; else 0
}

// Classes are the classes of the project that is open, with their examples, and what a
// person did to them, which can be undone. The engine is told of every change.
type Classes struct {
	Part
	list     []Class
	last     int  // number of the latest id
	hue      int  // of the next class
	revision int  // grows with every change that is to be kept
	project  int  // grows with every project that is opened: what is under way for an earlier one is dropped
	known    bool // the engine has been told the classes

	past, future []step          // what can be undone, and done again
	gone         map[string]bool // examples that were deleted, and perhaps cannot come back: see forgetting.go
	coming       []*batch

	opening *Progress // of bringing back the examples of a project that was opened
	keep    bool      // the project is to be kept once they are there

	unseen background
}

func newClasses(s *Kernel) *Classes {
	c := &Classes{Part: Part{K: s}, unseen: background{ids: map[string]bool{}}}
	c.list = classesOf(c.blank())
	for i := range c.list {
		c.list[i].number = i + 1
	}
	c.hue = len(c.list)
	return c
}

// edited has everything follow a change of the examples, and the project kept.
func (c *Classes) edited() {
	c.K.Grow(func(r *Revisions) { r.Examples++ })
	c.K.Project.Touch()
}

// blank returns two empty classes for a new project.
func (c *Classes) blank() []project.Class {
	t := c.K.Texts()
	c.Lock()
	defer c.Unlock()
	classes := make([]project.Class, 2)
	for hue := range classes {
		classes[hue] = project.Class{ID: c.newID("class"), Label: t.Class.Default(hue + 1), Hue: hue}
	}
	return classes
}

// List returns the classes in the order in which they were made, without those of nothing.
func (c *Classes) List() []Class {
	c.Lock()
	defer c.Unlock()
	return c.filter(func(class Class) bool { return !class.Nothing })
}

// copies returns copies of some classes. The lock is held.
func (c *Classes) filter(which func(Class) bool) (list []Class) {
	for _, class := range c.list {
		if which(class) {
			list = append(list, c.copied(class))
		}
	}
	return list
}

// copied returns a copy of a class. The lock is held.
func (c *Classes) copied(class Class) Class {
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

// Examples counts the examples of all classes.
func (c *Classes) Examples() int {
	c.Lock()
	defer c.Unlock()
	n := 0
	for _, class := range c.list {
		n += len(class.Examples)
	}
	return n
}

// Answering counts the classes that answers are among: those with examples that are not
// passed over.
func (c *Classes) Answering() (n int) {
	c.Lock()
	defer c.Unlock()
	for _, class := range c.list {
		if len(class.Examples) > 0 && !class.Disabled && !class.Nothing {
			n++
		}
	}
	return n
}

// Considers reports whether all classes that an answer is about are still considered.
func (c *Classes) Considers(a Answer) bool {
	c.Lock()
	defer c.Unlock()
	return !slices.ContainsFunc(a.Scores, func(score answer.Score) bool {
		class := find(c.list, score.ID)
		return class == nil || len(class.Examples) == 0 || class.Disabled
	})
}

// document returns the classes as a project keeps them, and the revision that they are. A
// class of nothing without examples is not kept.
func (c *Classes) document() (classes []project.Class, revision int) {
	c.Lock()
	defer c.Unlock()
	classes = make([]project.Class, 0, len(c.list))
	for _, class := range c.list {
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
	return classes, c.revision
}

// classesOf returns the classes that a project keeps.
func classesOf(kept []project.Class) []Class {
	classes := make([]Class, len(kept))
	for i, k := range kept {
		classes[i] = Class{ID: k.ID, Label: k.Label, Hue: ((k.Hue % Hues) + Hues) % Hues, Disabled: k.Disabled, Nothing: k.Nothing}
		for _, e := range k.Examples {
			classes[i].Examples = append(classes[i].Examples, e.ID)
		}
	}
	return classes
}

// newID returns an id that was never used. The lock is held.
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
