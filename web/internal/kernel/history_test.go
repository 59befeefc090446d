package kernel_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	. "github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/kerneltest"
)

func TestUndoAndRedo(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, e *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		first := kerneltest.IDs(s)[0]
		s.Classes.Rename(first, "cup")
		states := []string{"Class 1() Class 2()", outline(s)}
		for _, change := range []func(){
			func() { s.AddFiles(first, []File{{"a", "a"}, {"b", "b"}, {"c", "c"}}) }, // one step
			func() { s.Classes.RemoveExample(s.Classes.List()[0].Examples[1]) },
			func() { s.Classes.Add() },
			func() { s.Classes.Clear(first) },
			func() { s.Classes.Remove(kerneltest.IDs(s)[1]) },
		} {
			change()
			wait()
			states = append(states, outline(s))
		}
		kinds := []Step{StepRenameClass, StepAddExamples, StepRemoveExample, StepAddClass, StepClearClass, StepRemoveClass}
		for i := len(kinds) - 1; i >= 0; i-- {
			if got := s.Classes.History().Undo; got != kinds[i] {
				t.Errorf("step %d is named %v, want %v", i, got, kinds[i])
			}
			s.Classes.Undo()
			wait()
			if got := outline(s); got != states[i] {
				t.Errorf("undoing step %d gives %s, want %s", i, got, states[i])
			}
		}
		s.Classes.Undo() // nothing to undo
		for i := range kinds {
			s.Classes.Redo()
			wait()
			if got := outline(s); got != states[i+1] {
				t.Errorf("doing step %d again gives %s, want %s", i, got, states[i+1])
			}
		}
		if s.Classes.History().Redo != NoStep {
			t.Error("there is more to do again")
		}
		s.Classes.Undo()
		s.Classes.Add() // ends redo
		if got := s.Classes.History(); got.Redo != NoStep || got.Undo != StepAddClass {
			t.Errorf("history %+v", got)
		}
	})
}

// After any undo, the engine has the classes of the page.
func TestUndoReachesTheEngine(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, e *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		first := kerneltest.IDs(s)[0]
		s.AddFiles(first, []File{{"a", "a"}, {"b", "b"}})
		wait()
		examples := s.Classes.List()[0].Examples
		before := len(e.Calls())
		for _, act := range []func(){
			func() { s.Classes.Remove(first) }, s.Classes.Undo,
			func() { s.Classes.RemoveExample(examples[0]) }, s.Classes.Undo,
			func() { s.Classes.Rename(first, "cup") }, s.Classes.Undo,
			s.Classes.Undo, s.Classes.Redo, // the examples
		} {
			act()
			wait()
		}
		want := []string{
			"remove " + first, "add " + first + " Class 1", "restore " + first + " " + strings.Join(examples, " "),
			"forget " + examples[0], "restore " + first + " " + examples[0],
			"rename " + first + " cup", "rename " + first + " Class 1",
			"forget " + examples[0], "forget " + examples[1], "restore " + first + " " + strings.Join(examples, " "),
		}
		if got := e.Calls()[before:]; !slices.Equal(got, want) {
			t.Errorf("the engine was told\n%q, want\n%q", got, want)
		}
	})
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
