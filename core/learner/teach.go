package learner

import (
	"fmt"
	"slices"
)

// Teach adds an example to the first class of a label, which it adds where there is
// none. Class and example get ids of its own choice. It is AddClass and AddExample
// for programs that need no ids.
//
// Errors: "bad-image", after which nothing has changed.
func (l *Learner) Teach(label string, picture Picture) error {
	return l.teach(label, false, picture)
}

// teach adds an example to the first class of a label or, with nothing, to the first
// class of nothing.
func (l *Learner) teach(label string, nothing bool, picture Picture) error {
	added := ""
	i := slices.IndexFunc(l.classes, func(c *class) bool { return c.nothing == nothing && (nothing || c.label == label) })
	if i < 0 {
		added = free("class", func(id string) bool { return l.find(id) >= 0 })
		if err := l.add(&class{id: added, label: label, nothing: nothing}); err != nil {
			return err
		}
		i = len(l.classes) - 1
	}
	example := free("example", func(id string) bool { c, _ := l.example(id); return c != nil })
	if _, err := l.AddExample(l.classes[i].id, example, picture); err != nil {
		if added != "" {
			l.classes = l.classes[:i]
		}
		return err
	}
	return nil
}

// free returns the first id of kind-1, kind-2, … that is not taken.
func free(kind string, taken func(id string) bool) string {
	for n := 1; ; n++ {
		if id := fmt.Sprintf("%s-%d", kind, n); !taken(id) {
			return id
		}
	}
}
