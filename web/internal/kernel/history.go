package kernel

import (
	"maps"
	"slices"

	"github.com/deepemd/deepemd/core/project"
)

// maxSteps is the maximum number of steps that can be undone.
const maxSteps = 100

// Step is the kind of a step, which the buttons for undo and redo name.
type Step int

// The kinds of steps. The store keeps their numbers: add new ones at the end.
const (
	NoStep Step = iota
	StepAddClass
	StepRenameClass
	StepRemoveClass
	StepAddExamples
	StepRemoveExample
	StepRemoveExamples
	StepClearClass
	StepEnableClass
	StepRule
	StepMoveExamples
)

// step holds the classes before a step, or for redo after it. Snapshots share unchanged lists of
// examples.
type step struct {
	kind    Step
	classes []Class
	batch   *batch // the examples that were added together, or nil
	swap    func() // swaps the previous and the present state of another part; or nil
}

// History holds the kinds of the next steps for undo and redo; NoStep if there is none.
type History struct{ Undo, Redo Step }

// History returns the next steps for undo and redo.
func (c *Classes) History() History {
	c.Lock()
	defer c.Unlock()
	last := func(steps []step) Step {
		if len(steps) == 0 {
			return NoStep
		}
		return steps[len(steps)-1].kind
	}
	return History{last(c.past), last(c.future)}
}

// Undo reverts the latest step.
func (c *Classes) Undo() { c.undo(&c.past, &c.future) }

// Redo repeats the step that was reverted last.
func (c *Classes) Redo() { c.undo(&c.future, &c.past) }

// UndoRemoves reports whether Undo would remove an example now.
func (c *Classes) UndoRemoves(exampleID string) bool {
	c.Lock()
	defer c.Unlock()
	if len(c.past) == 0 {
		return false
	}
	return !slices.ContainsFunc(c.past[len(c.past)-1].classes, func(o Class) bool { return slices.Contains(o.Examples, exampleID) })
}

// undo restores the last snapshot in from, and pushes the present one to to.
func (c *Classes) undo(from, to *[]step) {
	c.K.Capture.Release()
	gone, swap := false, (func())(nil)
	c.Update(func() {
		if len(*from) == 0 {
			return
		}
		last := (*from)[len(*from)-1]
		*from = (*from)[:len(*from)-1]
		if last.batch != nil {
			c.stop(last.batch)
		}
		if last.batch == nil || last.batch.taught { // otherwise nothing has come, and only the rest is dropped
			*to = append(*to, step{last.kind, c.snapshot(), last.batch, last.swap})
		}
		swap = last.swap
		c.K.revisions.Document++
		c.list = last.classes
		c.tell()
		gone = true
	})
	if swap != nil {
		swap()
	}
	if gone {
		c.K.Notices.Dismiss(NoticeUndo)
		c.edited()
		c.K.Live.Reclassify()
	}
}

// Note records a change of another part as a step: swap alternates between the two states.
func (c *Classes) Note(kind Step, swap func()) {
	c.Update(func() { c.remember(step{kind: kind, classes: c.snapshot(), swap: swap}) })
	c.K.Notices.Dismiss(NoticeUndo)
}

// remember records a step. The lock is held.
func (c *Classes) remember(s step) {
	c.K.revisions.Document++
	c.discardSteps(c.future)
	c.past, c.future = append(c.past, s), nil
	if over := len(c.past) - maxSteps; over > 0 {
		c.discardSteps(c.past[:over])
		c.past = slices.Delete(c.past, 0, over)
	}
}

// Past is a step that can be undone in a later visit.
type Past struct {
	Kind    Step            `json:"kind"`
	Classes []project.Class `json:"classes"` // before it
}

const (
	// keptSteps is the maximum number of steps that the store keeps.
	keptSteps = 10
	// keptIDs is the maximum number of examples that these steps list, as each save writes them;
	// the latest step is kept in any case.
	keptIDs = 2000
)

// pastSteps returns the latest steps, the oldest first. It ends at a step of another part, which the
// store cannot keep. The lock is held.
func (c *Classes) pastSteps() (steps []Past) {
	ids := 0
	for _, s := range slices.Backward(c.past) {
		for _, class := range s.classes {
			ids += len(class.Examples)
		}
		if s.swap != nil || len(steps) == keptSteps || len(steps) > 0 && ids > keptIDs {
			break
		}
		steps = append(steps, Past{s.kind, described(s.classes)})
	}
	slices.Reverse(steps)
	return steps
}

// snapshot returns a copy of the classes. Their lists of examples are never changed in place. The
// lock is held.
func (c *Classes) snapshot() []Class {
	classes := slices.Clone(c.list)
	for i := range classes {
		classes[i].Examples = slices.Clip(classes[i].Examples)
	}
	return classes
}

func setOf(ids []string) map[string]bool {
	set := make(map[string]bool, len(ids))
	for _, id := range ids {
		set[id] = true
	}
	return set
}

// Removed examples are kept as long as undo or redo can restore them. All others are freed, so that
// a page that runs for weeks holds only the visible examples and the examples of maxSteps steps.

// discardSteps marks the examples of steps that cannot be reached any more. The lock is held.
func (c *Classes) discardSteps(steps []step) {
	for _, s := range steps {
		for _, class := range s.classes {
			for _, id := range class.Examples {
				c.gone[id] = true
			}
		}
	}
}

// purge calls forget with the examples that are out of reach, once the engine has finished the
// operations queued so far, which may use them. It is called after each save, successful or not:
// later saves do not contain these examples.
func (c *Classes) purge(forget func(ids []string)) {
	c.Lock()
	defer c.Unlock()
	ids, now := c.unreachable(), c.project
	if len(ids) == 0 {
		return
	}
	c.K.Engine.push(func(Engine) error {
		c.Lock()
		defer c.Unlock()
		if c.project == now { // otherwise another project may use the ids
			for _, id := range ids {
				delete(c.unseen.ids, id)
			}
			forget(ids)
		}
		return nil
	})
}

// unreachable returns the examples that went out of reach since the last call. The lock is held.
func (c *Classes) unreachable() (ids []string) {
	if len(c.gone) == 0 {
		return nil
	}
	keep := func(classes []Class) {
		for _, class := range classes {
			for _, id := range class.Examples {
				delete(c.gone, id)
			}
		}
	}
	keep(c.list)
	for _, s := range slices.Concat(c.past, c.future) {
		keep(s.classes)
	}
	ids = slices.Collect(maps.Keys(c.gone))
	clear(c.gone)
	return ids
}
