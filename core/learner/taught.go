package learner

import "github.com/deepemd/deepemd/core/imaging"

// Class is a class with its examples.
type Class struct {
	ID, Label string
	Disabled  bool // passed over in answers
	Examples  []Example
}

// Example is one example of a class.
type Example struct {
	ID string
	// Seen is the learner's view of it: the network's input, or the square that
	// crops are cut from; nil in a lean learner.
	Seen *imaging.Image
	// Embedding holds its local embeddings, [Info.Nodes, Info.Channels].
	Embedding []float32
}

// Classes lists the classes in the order of teaching. The learner owns pixels and
// embeddings: do not modify them.
func (l *Learner) Classes() []Class {
	list := make([]Class, len(l.classes))
	for i, c := range l.classes {
		list[i] = Class{ID: c.id, Label: c.label, Disabled: c.disabled}
		for _, ex := range c.examples {
			list[i].Examples = append(list[i].Examples, Example{ID: ex.id, Seen: ex.seen, Embedding: ex.set.Data})
		}
	}
	return list
}
