package kernel_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	. "github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/kerneltest"
	"github.com/deepemd/deepemd/web/internal/texts"
)

// several returns n files with distinct names.
func several(prefix string, n int) (files []File) {
	for i := range n {
		name := fmt.Sprintf("%s%d", prefix, i+1)
		files = append(files, File{Name: name, Source: name})
	}
	return files
}

// counts formats the numbers of examples and of queued images of all classes.
func counts(s *Kernel) string {
	var said []string
	for _, c := range s.Classes.List() {
		said = append(said, fmt.Sprintf("%d+%d", len(c.Examples), c.Waiting))
	}
	return strings.Join(said, " ")
}

// slowly makes each image take the engine a tenth of a second.
func slowly(e *kerneltest.Engine) { e.Slow = 100 * time.Millisecond }

func expect(t *testing.T, s *Kernel, when, want string) {
	t.Helper()
	if got := counts(s); got != want {
		t.Errorf("%s there are %s examples, want %s", when, got, want)
	}
}

// Two classes that are filled in parallel are two steps, although their examples alternate.
func TestUndoOfTwoClassesFilledAtOnce(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, e *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		slowly(e)
		c := kerneltest.IDs(s)
		s.AddFiles(c[0], several("a", 10))
		s.AddFiles(c[1], several("b", 10))
		kerneltest.Rest(5 * time.Second)
		expect(t, s, "at the end", "10+0 10+0")
		s.Classes.Undo()
		expect(t, s, "after one step back", "10+0 0+0")
		s.Classes.Undo()
		expect(t, s, "after two", "0+0 0+0")
		if h := s.Classes.History(); h.Undo != NoStep {
			t.Errorf("there is %v more to undo", h.Undo)
		}
		s.Classes.Redo()
		expect(t, s, "after one step forth", "10+0 0+0")
		s.Classes.Redo()
		expect(t, s, "after two", "10+0 10+0")
	})
}

// Undo while examples arrive removes the arrived ones and drops the rest, of the latest batch only.
func TestUndoWhileAdding(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, e *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		slowly(e)
		c := kerneltest.IDs(s)
		s.AddFiles(c[0], several("a", 20))
		s.AddFiles(c[1], several("b", 20))
		kerneltest.Rest(450 * time.Millisecond)
		expect(t, s, "on the way", "4+16 4+16")
		s.Classes.Undo()
		expect(t, s, "after one step back", "4+16 0+0")
		kerneltest.Rest(500 * time.Millisecond)
		expect(t, s, "half a second later", "9+11 0+0")
		s.Classes.Redo()
		expect(t, s, "done again, of the second batch,", "9+11 4+0")
		s.Classes.Undo()
		s.Classes.Undo()
		kerneltest.Rest(5 * time.Second)
		expect(t, s, "after two steps back", "0+0 0+0")
		s.Classes.Redo()
		wait()
		expect(t, s, "done again", "9+0 0+0")
		if left := len(e.Examples()); left != 9 {
			t.Errorf("the engine has %d examples, want 9", left)
		}
	})
}

// Undo also works before the first file has arrived.
func TestUndoBeforeTheFirstHasCome(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, e *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		slowly(e)
		c := kerneltest.IDs(s)
		s.Classes.Rename(c[1], "pen")
		s.AddFiles(c[0], several("a", 20))
		kerneltest.Rest(50 * time.Millisecond)
		if h := s.Classes.History(); h.Undo != StepAddExamples {
			t.Errorf("undo is of %v, want of adding", h.Undo)
		}
		s.Classes.Undo()
		kerneltest.Rest(5 * time.Second)
		expect(t, s, "after all", "0+0 0+0")
		if h := s.Classes.History(); h != (History{Undo: StepRenameClass}) {
			t.Errorf("history %+v, want only the name", h)
		}
		if left := len(e.Examples()); left != 0 {
			t.Errorf("the engine has %d examples, want none", left)
		}
	})
}

// A batch without examples is not a step.
func TestFilesThatAreNoPicturesAreNoStep(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, e *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		e.Fail = func(string) error { return kerneltest.Failure(CodeBadImage, "not a JPEG, PNG or WebP") }
		s.AddFiles(kerneltest.IDs(s)[0], several("notes", 3))
		wait()
		if h := s.Classes.History(); h.Undo != NoStep {
			t.Errorf("there is %v to undo", h.Undo)
		}
	})
}

// A class that is cleared or removed while files arrive gets no more of them, even after undo.
func TestDeletingWhileAdding(t *testing.T) {
	for _, c := range []struct {
		name string
		do   func(s *Kernel, id string)
	}{
		{"emptied", func(s *Kernel, id string) { s.Classes.Clear(id) }},
		{"deleted", func(s *Kernel, id string) { s.Classes.Remove(id) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			kerneltest.Run(t, func(t *testing.T, s *Kernel, e *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
				slowly(e)
				s.AddFiles(kerneltest.IDs(s)[0], several("a", 20))
				kerneltest.Rest(450 * time.Millisecond)
				c.do(s, kerneltest.IDs(s)[0])
				if keys := kerneltest.Keys(s); len(keys) != 1 || keys[0] != NoticeUndo {
					t.Errorf("notices %q, want one that offers to undo", keys)
				}
				kerneltest.Rest(time.Second)
				s.Classes.Undo()
				if keys := kerneltest.Keys(s); len(keys) != 0 {
					t.Errorf("notices %q after it was undone", keys)
				}
				kerneltest.Rest(5 * time.Second)
				expect(t, s, "after all", "4+0 0+0")
				if left := len(e.Examples()); left != 4 {
					t.Errorf("the engine has %d examples, want 4", left)
				}
			})
		})
	}
}

// The offer to undo disappears after the next step, and after a while.
func TestTheOfferToUndoGoes(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, _ *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		s.Classes.Remove(kerneltest.IDs(s)[1])
		s.Classes.Add()
		if keys := kerneltest.Keys(s); len(keys) != 0 {
			t.Errorf("notices %q after another step", keys)
		}
		s.Classes.Remove(kerneltest.IDs(s)[1])
		if n := s.Notices.List(); len(n) != 1 || n[0].Button != texts.In("en").Project.Undo || !strings.Contains(n[0].Title, "was deleted") {
			t.Errorf("notices %+v, want one that offers to undo", n)
		}
		kerneltest.Rest(time.Minute)
		if keys := kerneltest.Keys(s); len(keys) != 0 {
			t.Errorf("notices %q a minute later", keys)
		}
	})
}

// Many classes are filled as one step: existing classes, empty classes, new ones.
func TestFillManyClasses(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, e *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		slowly(e)
		s.Classes.Rename(kerneltest.IDs(s)[1], "cup")
		s.Capture.Fill([]string{"pen", "cup", "key"}, [][]File{several("p", 3), several("c", 4), several("k", 5)})
		kerneltest.Rest(250 * time.Millisecond)
		if got := counts(s); got != "2+1 2+2 2+3" {
			t.Errorf("%s on the way", got)
		}
		kerneltest.Rest(5 * time.Second)
		var labels []string
		for _, c := range s.Classes.List() {
			labels = append(labels, c.Label)
		}
		if got := strings.Join(labels, " ") + " " + counts(s); got != "pen cup key 3+0 4+0 5+0" {
			t.Errorf("the classes are %s", got)
		}
		s.Classes.Undo()
		if got := outline(s); got != "Class 1() cup()" {
			t.Errorf("after one step back: %s", got)
		}
		s.Classes.Redo()
		expect(t, s, "done again", "3+0 4+0 5+0")
	})
}

// A batch is saved when it ends, although the engine looks at the picture on the stage.
func TestABatchIsSavedWhenItEnds(t *testing.T) {
	kerneltest.Bubble(t, func(t *testing.T) {
		s, e, store := kerneltest.New(), &kerneltest.Engine{}, kerneltest.NewStore()
		slowly(e)
		e.Fail = func(call string) error {
			if strings.HasPrefix(call, "classify") {
				time.Sleep(10 * SaveLatest)
			}
			return nil
		}
		s.EngineReady(e)
		s.Project.StoreReady(store)
		s.ShowPictures(File{Name: "test.jpg", Source: "test"})
		s.AddFiles(kerneltest.IDs(s)[0], several("a", 3))
		kerneltest.Rest(SaveLatest / 2)
		if doc := store.Doc(s.Project.State().ID); doc.Examples() != 3 {
			t.Errorf("%d examples are kept, want 3", doc.Examples())
		}
		kerneltest.Rest(20 * SaveLatest)
	})
}
