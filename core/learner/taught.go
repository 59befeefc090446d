package learner

import (
	"slices"

	"github.com/deepemd/deepemd/core/imaging"
)

// Class is a class with its examples.
type Class struct {
	ID, Label string
	Disabled  bool // passed over in answers
	Nothing   bool // it has no score, and only says what belongs to no class: see Learner.AddNothing
	Examples  []Example
}

// Example is one example of a class.
type Example struct {
	ID string
	// Seen is the learner's view of it: the network's input, or the square that
	// crops are cut from; nil in a lean learner, and for features without a picture.
	Seen *imaging.Image
	// Embedding holds its local embeddings, [Info.Nodes, Info.Channels].
	Embedding []float32
}

// Classes lists the classes in the order of teaching. The learner owns pixels and
// embeddings: do not modify them.
func (l *Learner) Classes() []Class {
	list := make([]Class, len(l.classes))
	for i, c := range l.classes {
		list[i] = Class{ID: c.id, Label: c.label, Disabled: c.disabled, Nothing: c.nothing}
		for _, ex := range c.examples {
			list[i].Examples = append(list[i].Examples, Example{ID: ex.id, Seen: ex.seen, Embedding: ex.set.Data})
		}
	}
	return list
}

func (l *Learner) find(id string) int {
	return slices.IndexFunc(l.classes, func(c *class) bool { return c.id == id })
}

func (l *Learner) class(id string) (*class, error) {
	if i := l.find(id); i >= 0 {
		return l.classes[i], nil
	}
	return nil, fail(CodeUnknownClass, "there is no class %q: addClass returns the id to use", id)
}

// example returns the class of an example and its place there, nil for an unknown
// id.
func (l *Learner) example(id string) (*class, int) {
	for _, c := range l.classes {
		if i := slices.IndexFunc(c.examples, func(ex example) bool { return ex.id == id }); i >= 0 {
			return c, i
		}
	}
	return nil, -1
}
