package kernel_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	. "github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/kerneltest"
)

// After every step, also undone or repeated, the engine has the classes and examples of the page.
func TestUndoAndRedo(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, e *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		first := kerneltest.IDs(s)[0]
		agree := func(when string) {
			t.Helper()
			wait()
			labels, examples := map[string]string{}, map[string]bool{}
			for _, c := range s.Classes.List() {
				labels[c.ID] = c.Label
				for _, id := range c.Examples {
					examples[c.ID+" "+id] = true
				}
			}
			known := map[string]bool{}
			for _, id := range e.Examples() {
				known[id] = true
			}
			if got := knownTo(e); !maps.Equal(got, labels) || !maps.Equal(known, examples) {
				t.Errorf("%s the engine knows %v with %v, the page shows %v with %v", when, got, known, labels, examples)
			}
		}
		s.Classes.Rename(first, "cup")
		states := []string{"Class 1() Class 2()", outline(s)}
		for _, change := range []func(){
			func() {
				s.AddFiles(first, []File{{Name: "a", Source: "a"}, {Name: "b", Source: "b"}, {Name: "c", Source: "c"}})
			},
			func() { s.Classes.RemoveExamples(s.Classes.List()[0].Examples[1]) },
			func() {
				s.Classes.MoveExamples(map[string]string{s.Classes.List()[0].Examples[0]: kerneltest.IDs(s)[1], "gone": first})
			},
			func() { s.Classes.Enable(first, false) },
			func() { s.Classes.Add() },
			func() { s.Classes.Clear(first) },
			func() { s.Classes.Remove(kerneltest.IDs(s)[1]) },
		} {
			change()
			agree("after a change")
			states = append(states, outline(s))
		}
		kinds := []Step{StepRenameClass, StepAddExamples, StepRemoveExample, StepMoveExamples, StepEnableClass, StepAddClass, StepClearClass, StepRemoveClass}
		for i := len(kinds) - 1; i >= 0; i-- {
			if got := s.Classes.History().Undo; got != kinds[i] {
				t.Errorf("step %d is named %v, want %v", i, got, kinds[i])
			}
			s.Classes.Undo()
			agree("undone,")
			if got := outline(s); got != states[i] {
				t.Errorf("undoing step %d gives %s, want %s", i, got, states[i])
			}
		}
		s.Classes.Undo()
		for i := range kinds {
			s.Classes.Redo()
			agree("repeated,")
			if got := outline(s); got != states[i+1] {
				t.Errorf("doing step %d again gives %s, want %s", i, got, states[i+1])
			}
		}
		if s.Classes.History().Redo != NoStep {
			t.Error("there is more to do again")
		}
		s.Classes.Undo()
		s.Classes.Add()
		if got := s.Classes.History(); got.Redo != NoStep || got.Undo != StepAddClass {
			t.Errorf("history %+v", got)
		}
	})
}

// knownTo replays the operations on classes that an engine got.
func knownTo(e *kerneltest.Engine) map[string]string {
	known := map[string]string{}
	for _, call := range e.Calls() {
		verb, rest, _ := strings.Cut(call, " ")
		id, label, _ := strings.Cut(rest, " ")
		switch verb {
		case "add", "rename":
			known[id] = label
		case "remove":
			delete(known, id)
		}
	}
	return known
}

// Holding a button is one step, even if another step happens during it: undoing one loses nothing
// else.
func TestUndoOfACapture(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, _ *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		classes := kerneltest.IDs(s)
		s.Camera.Start("")
		wait()
		s.Capture.Hold(classes[0])
		kerneltest.Rest(time.Second - time.Millisecond)
		s.Classes.Rename(classes[1], "pen")
		kerneltest.Rest(time.Second)
		s.Capture.Release()
		wait()
		if got := len(s.Classes.List()[0].Examples); got != 16 {
			t.Fatalf("%d examples, want 16", got)
		}
		for i, want := range []struct {
			travel   func()
			examples int
			label    string
		}{{s.Classes.Undo, 16, "Class 2"}, {s.Classes.Undo, 0, "Class 2"}, {s.Classes.Redo, 16, "Class 2"}, {s.Classes.Redo, 16, "pen"}} {
			want.travel()
			c := s.Classes.List()
			if len(c[0].Examples) != want.examples || c[1].Label != want.label {
				t.Errorf("after %d: %d examples and %s, want %d and %s", i+1, len(c[0].Examples), c[1].Label, want.examples, want.label)
			}
		}
		s.Camera.Stop()
	})
}

func TestHistoryEnds(t *testing.T) {
	s := kerneltest.New()
	id := kerneltest.IDs(s)[0]
	for i := range 3 * MaxSteps {
		s.Classes.Rename(id, strings.Repeat("x", i+1))
	}
	for range 3 * MaxSteps {
		s.Classes.Undo()
	}
	if got := len(s.Classes.List()[0].Label); got != 2*MaxSteps {
		t.Errorf("a label of %d letters after undoing all, want %d", got, 2*MaxSteps)
	}
}

// The latest steps of a project can be undone when it is opened again, with the examples that they
// removed.
func TestStepsAreKept(t *testing.T) {
	kerneltest.Bubble(t, func(t *testing.T) {
		store := kerneltest.NewStore(kerneltest.Cups())
		open := func() *Kernel {
			s := kerneltest.New()
			s.EngineReady(&kerneltest.Engine{})
			s.Project.StoreReady(store)
			kerneltest.Rest(SaveInterval)
			return s
		}
		s := open()
		states := []string{outline(s)}
		for _, change := range []func(){
			func() { s.Classes.Note(StepRule, func() {}) }, // of another part, which is not kept
			func() { s.Classes.RemoveExamples("example-7") },
			func() { s.Classes.Add() },
			func() { s.Classes.Remove("class-1") },
		} {
			change()
			kerneltest.Rest(SaveInterval)
			states = append(states, outline(s))
		}
		s = open()
		for i := len(states) - 1; i > 1; i-- {
			if got := outline(s); got != states[i] {
				t.Errorf("step %d: the page shows %s, want %s", i, got, states[i])
			}
			s.Classes.Undo()
		}
		if got := outline(s); got != states[1] || s.Classes.History().Undo != NoStep {
			t.Errorf("at last the page shows %s, want %s; the next step is %v", got, states[1], s.Classes.History().Undo)
		}
		if id := s.Classes.Add(); id != "class-42" { // class-41 is in a step
			t.Errorf("a new class is called %s", id)
		}
		// Many examples: the latest step only.
		for i := range 3 {
			var files []File
			for k := range 1500 {
				files = append(files, File{Name: fmt.Sprint(k), Source: fmt.Sprint(i, k)})
			}
			s.AddFiles("class-2", files)
			kerneltest.Rest(time.Minute)
		}
		if n := len(store.Doc(s.Project.State().ID).Past); n != 1 {
			t.Errorf("%d steps are kept, want 1", n)
		}
	})
}
