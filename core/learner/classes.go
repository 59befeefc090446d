package learner

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/match"
	"github.com/deepemd/deepemd/core/method"
)

// class is a class with its examples. Models share it, so edits replace it instead of
// changing it.
type class struct {
	id, label  string
	examples   []*example // only the latest version of the class appends
	disabled   bool
	background bool // it has no score: see AddBackgroundClass
}

// example is an example of a class. The workspace guards the fields that are computed later.
type example struct {
	id      string
	set     *embed.Set
	seen    *imaging.Image    // the embedded image; nil in lean learners
	fresh   *imaging.Image    // the same image until its looks are measured
	looks   *imaging.Measures // nil without an image
	plain   bool              // it may show one color: see Model.blank
	support *match.Prepared   // for explanations of by, nil until first used
	by      *explainer
	memory  match.Memory // of the latest explanation
}

// Class is a class with its examples.
type Class struct {
	ID, Label  string
	Disabled   bool // excluded from answers
	Background bool // it has no score: see Learner.AddBackgroundClass
	Examples   []Example
}

// Example is one example of a class.
type Example struct {
	ID string
	// Seen is the network's input, or the square that crops are cut from. It is nil in a
	// lean learner, and for features without an image.
	Seen *imaging.Image
	// Embedding holds its local embeddings, [Info.Nodes, Info.Channels].
	Embedding []float32
}

// Classes returns the classes in the order of their addition. Callers must not modify the
// pixels and embeddings, which are shared.
func (l *Learner) Classes() []Class { return l.Model().Classes() }

// Classes returns the classes of the snapshot, such as the example that an explanation names. Callers
// must not modify the pixels and embeddings, which are shared.
func (m *Model) Classes() []Class {
	list := make([]Class, len(m.classes))
	for i, c := range m.classes {
		list[i] = Class{ID: c.id, Label: c.label, Disabled: c.disabled, Background: c.background}
		for _, e := range c.examples {
			list[i].Examples = append(list[i].Examples, Example{ID: e.id, Seen: e.seen, Embedding: e.set.Data})
		}
	}
	return list
}

// Add adds an example to the first class with the given label, and creates the class if
// necessary. Class and example get unused ids. Add combines AddClass and AddExample for
// programs that do not use ids.
//
// # Errors
//
// The same as AddExample. An error leaves the learner unchanged.
func (l *Learner) Add(label string, p Picture) error {
	in := l.Model().net.open(p)
	return l.edit(func(m *Model) error { return m.addTo(label, false, in) })
}

// addTo implements Add and AddBackground.
func (m *Model) addTo(label string, background bool, p input) error {
	i := slices.IndexFunc(m.classes, func(c *class) bool { return c.background == background && (background || c.label == label) })
	if i < 0 {
		i = len(m.classes)
		id := "class-1"
		for n := 2; m.find(id) >= 0; n++ {
			id = fmt.Sprintf("class-%d", n)
		}
		if err := m.addClass(&class{id: id, label: label, background: background}); err != nil {
			return err
		}
	}
	used := make([]bool, count(m.classes)+1) // example-1, example-2, …
	for _, c := range m.classes {
		for _, e := range c.examples {
			number, _ := strings.CutPrefix(e.id, "example-")
			if n, err := strconv.Atoi(number); err == nil && 0 < n && n <= len(used) {
				used[n-1] = true
			}
		}
	}
	id := fmt.Sprintf("example-%d", slices.Index(used, false)+1)
	_, err := m.addExample(m.classes[i].id, id, p)
	return err
}

// AddClass adds a class without examples. The id must be new and not empty. Ids and labels are
// UTF-8 of at most [method.MaxText] code points, which fits in project files.
//
// # Errors
//
// CodeBadArgument.
func (l *Learner) AddClass(id, label string) error {
	return l.edit(func(m *Model) error { return m.addClass(&class{id: id, label: label}) })
}

const labelOfClass = "the label of a class"

// checkText returns the error of an id or a label that project files cannot store.
func checkText(what, text string) error {
	if err := method.CheckText(what, text); err != nil {
		return fail(CodeBadArgument, "%v", err)
	}
	return nil
}

// addClass adds a class or a background class.
func (m *Model) addClass(c *class) error {
	if c.id == "" {
		return fail(CodeBadArgument, "a class needs an id")
	}
	if err := cmp.Or(checkText("the id of a class", c.id), checkText(labelOfClass, c.label)); err != nil {
		return err
	}
	if m.find(c.id) >= 0 {
		return fail(CodeBadArgument, "a class with id %q exists already: choose another id", c.id)
	}
	m.classes = append(slices.Clip(m.classes), c)
	return nil
}

// RenameClass changes a class's label.
//
// # Errors
//
// CodeUnknownClass; CodeBadArgument for a label that AddClass rejects.
func (l *Learner) RenameClass(id, label string) error {
	return l.edit(func(m *Model) error {
		i, err := m.class(id)
		if err == nil {
			err = checkText(labelOfClass, label)
		}
		if err == nil {
			c := *m.classes[i]
			c.label = label
			m.replace(i, &c)
		}
		return err
	})
}

// EnableClass includes a class in answers or excludes it. New classes are enabled.
//
// # Errors
//
// CodeUnknownClass.
func (l *Learner) EnableClass(id string, enabled bool) error {
	return l.edit(func(m *Model) error {
		i, err := m.class(id)
		if err == nil && m.classes[i].disabled == enabled {
			before := m.classes[i]
			c := *before
			c.disabled = !enabled
			m.replace(i, &c)
			if len(c.examples) > 0 { // one of the two is enabled
				m.changedIn(before)
				m.changedIn(&c)
			}
		}
		return err
	})
}

// RemoveClass removes a class and its examples.
//
// # Errors
//
// CodeUnknownClass.
func (l *Learner) RemoveClass(id string) error {
	return l.edit(func(m *Model) error {
		i, err := m.class(id)
		if err != nil {
			return err
		}
		c := m.classes[i]
		m.classes = slices.Delete(slices.Clone(m.classes), i, i+1)
		if len(c.examples) > 0 {
			m.changedIn(c)
		}
		return nil
	})
}

// AddExample adds an image to a class and computes its embeddings.
//
// # Errors
//
// CodeUnknownClass; CodeBadArgument for an id that is empty, in use or rejected by AddClass, for an invalid
// embedding, and for an embedding, given or computed, with equal channels in every node;
// CodeBadImage, CodeBadSound, CodeSilent.
func (l *Learner) AddExample(classID, exampleID string, p Picture) (seen *Seen, err error) {
	in := l.Model().net.open(p)
	err = l.edit(func(m *Model) error {
		s, err := m.addExample(classID, exampleID, in)
		if err == nil {
			seen = &Seen{View: s.view, Original: m.net.original(s), Second: s.second, Embedding: s.set}
		}
		return err
	})
	return seen, err
}

func (m *Model) addExample(classID, exampleID string, p input) (*preparedImage, error) {
	i, err := m.class(classID)
	if err != nil {
		return nil, err
	}
	if exampleID == "" {
		return nil, fail(CodeBadArgument, "an example needs an id")
	}
	if err := checkText("the id of an example", exampleID); err != nil {
		return nil, err
	}
	if owner, _ := m.example(exampleID); owner >= 0 {
		return nil, fail(CodeBadArgument, "an example with id %q exists already: choose another id", exampleID)
	}
	s, err := m.see(p)
	if err != nil {
		return nil, err
	}
	if s.view == nil && m.net.encoder != nil {
		return nil, fail(CodeBadArgument, "an embedding without its picture can be classified but not taught: give the picture too")
	}
	if err := checkFlat(s.set); err != nil {
		return nil, err // computed by the learner's network
	}
	if err := m.explainer.matcher.Reset(&m.explainer.query, s.set); err != nil {
		return nil, err // a set that cannot be matched would break every answer
	}
	e := &example{id: exampleID, set: s.set, fresh: s.view, plain: s.view == nil || s.view.Contrast() <= plainContrast}
	if !m.opt.Lean {
		e.seen = s.view
	}
	m.appendExample(i, e)
	return s, nil
}

// RemoveExample removes an example.
//
// # Errors
//
// CodeUnknownExample.
func (l *Learner) RemoveExample(id string) error {
	return l.edit(func(m *Model) error {
		i, k := m.example(id)
		if i < 0 {
			return fail(CodeUnknownExample, "there is no example %q: was it removed already?", id)
		}
		c := *m.classes[i]
		c.examples = slices.Delete(slices.Clone(c.examples), k, k+1)
		m.replace(i, &c)
		m.changedIn(&c)
		return nil
	})
}

// replace replaces class i, and its entry in the fitted classes.
func (m *Model) replace(i int, c *class) {
	before := m.classes[i]
	m.classes = slices.Clone(m.classes)
	m.classes[i] = c
	if at := slices.Index(m.fitted, before); at >= 0 {
		m.fitted = slices.Clone(m.fitted)
		m.fitted[at] = c
	}
}

func (m *Model) find(id string) int {
	return slices.IndexFunc(m.classes, func(c *class) bool { return c.id == id })
}

func (m *Model) class(id string) (int, error) {
	if i := m.find(id); i >= 0 {
		return i, nil
	}
	return -1, fail(CodeUnknownClass, "there is no class with the id %q: add it first", id)
}

// example returns the index of an example's class and its index in the class, or -1 for an
// unknown id.
func (m *Model) example(id string) (class, place int) {
	for i, c := range m.classes {
		if k := slices.IndexFunc(c.examples, func(e *example) bool { return e.id == id }); k >= 0 {
			return i, k
		}
	}
	return -1, -1
}

// count returns the number of examples of classes.
func count(classes []*class) (n int) {
	for _, c := range classes {
		n += len(c.examples)
	}
	return n
}
