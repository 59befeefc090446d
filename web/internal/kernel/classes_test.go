package kernel_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/project"
	. "github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/kerneltest"
)

func TestClassesMadeBeforeTheEngineReachIt(t *testing.T) {
	kerneltest.Bubble(t, func(t *testing.T) {
		s := kerneltest.New()
		ids := kerneltest.IDs(s)
		s.Classes.Rename(ids[0], " cup ")
		s.Classes.Remove(ids[1])
		third := s.Classes.Add()
		s.AddFiles(third, []File{{Name: "a.jpg", Source: "a"}})
		synctest.Wait()

		e := &kerneltest.Engine{}
		s.EngineReady(e)
		synctest.Wait()
		want := []string{"add " + ids[0] + " cup", "add " + third + " Class 2", "teach " + third + " a"}
		if got := e.Calls(); !slices.Equal(got, want) {
			t.Errorf("the engine was told %q, want %q", got, want)
		}
	})
}

func TestClasses(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, e *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		wait()
		first := kerneltest.IDs(s)[0]
		s.Classes.Rename(first, "cup")
		s.Classes.Rename(first, "  ")
		s.Classes.Rename("nobody", "x")
		added := s.Classes.Add()
		s.Classes.Remove(first)
		s.Classes.Remove(first)
		wait()

		var labels []string
		for _, c := range s.Classes.List() {
			labels = append(labels, c.Label)
		}
		if want := []string{"Class 2", "Class 3"}; !slices.Equal(labels, want) {
			t.Errorf("labels %q, want %q", labels, want)
		}
		want := []string{"remove " + first, "add " + added + " Class 3"}
		if got := e.Calls()[2:]; !slices.Equal(got, want) {
			t.Errorf("the engine was told %q, want %q", got, want)
		}
	})
}

func TestRemoveExample(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, e *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		id := kerneltest.IDs(s)[0]
		add(s, id, "a", "b")
		first := s.Classes.List()[0].Examples[0]
		s.Classes.RemoveExamples(first)
		s.Classes.RemoveExamples("nothing")
		wait()
		if got := s.Classes.List()[0].Examples; len(got) != 1 || got[0] == first {
			t.Errorf("examples %q, want all but %s", got, first)
		}
		if got := e.Calls(); got[len(got)-1] != "forget "+first {
			t.Errorf("the engine was told %q last, want to forget %s", got[len(got)-1], first)
		}
	})
}

// Every edit increments the revision of the examples. Some also end a capture, offer to be undone,
// or classify the picture again.
func TestWhatEditsLeadTo(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, e *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		c := s.Classes
		first := c.List()[0].ID
		add(s, c.List()[1].ID, "other")
		s.ShowPictures(File{Name: "test.jpg", Source: "test"})
		wait()
		for _, step := range []struct {
			name string
			do   func()
			want string
		}{
			{"add", func() { c.Add() }, "edited"},
			{"rename", func() { c.Rename(first, "cup") }, "edited"},
			{"rename to the same", func() { c.Rename(first, "cup") }, ""},
			{"rename nobody", func() { c.Rename("nobody", "cup") }, ""},
			{"add files", func() { add(s, first, "a", "b") }, "edited retaught"},
			{"remove an example", func() { c.RemoveExamples(c.List()[0].Examples[0]) }, "edited retaught"},
			{"remove nothing", func() { c.RemoveExamples("nothing") }, ""},
			{"disable", func() { c.Enable(first, false) }, "edited retaught"},
			{"disable again", func() { c.Enable(first, false) }, ""},
			{"clear", func() { c.Clear(first) }, "interrupt edited deleted retaught"},
			{"clear what is empty", func() { c.Clear(first) }, "interrupt"},
			{"remove", func() { c.Remove(first) }, "interrupt edited deleted retaught"},
			{"undo", func() { c.Undo() }, "interrupt edited retaught"},
			{"redo", func() { c.Redo() }, "interrupt edited retaught"},
			{"redo nothing", func() { c.Redo() }, "interrupt"},
		} {
			s.Notices.Dismiss(NoticeUndo)
			s.Capture.Occupy(first)
			before, looks := s.Numbers(), classified(e)
			step.do()
			wait()
			var got []string
			for _, happened := range []struct {
				name string
				yes  bool
			}{
				{"interrupt", s.Capture.Class() == ""},
				{"edited", s.Numbers().Examples > before.Examples && s.Numbers().Document > before.Document},
				{"deleted", slices.Contains(kerneltest.Keys(s), NoticeUndo)},
				{"retaught", classified(e) > looks},
			} {
				if happened.yes {
					got = append(got, happened.name)
				}
			}
			if got := strings.Join(got, " "); got != step.want {
				t.Errorf("%s: %q, want %q", step.name, got, step.want)
			}
		}
		s.Capture.Release()
	})
}

func TestFindAndOwner(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, _ *kerneltest.Engine, _ *kerneltest.Camera, _ func()) {
		c, first := s.Classes, kerneltest.IDs(s)[0]
		add(s, first, "a")
		class, ok := c.Find(first)
		if !ok || class.Label != "Class 1" || len(class.Examples) != 1 || class.Waiting != 0 {
			t.Fatalf("%+v, %v", class, ok)
		}
		if owner, ok := c.OwnerOf(class.Examples[0]); !ok || owner.ID != first {
			t.Errorf("the example belongs to %+v, %v", owner, ok)
		}
		class.Examples[0] = "changed"
		if got, _ := c.Find(first); got.Examples[0] == "changed" {
			t.Error("what was handed out changes the classes")
		}
		_, found := c.Find("nobody")
		if _, owned := c.OwnerOf("nothing"); found || owned {
			t.Errorf("found nobody: %v, nothing has an owner: %v", found, owned)
		}
	})
}

// An answer counts as long as all its classes can win.
func TestConsiders(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, _ *kerneltest.Engine, _ *kerneltest.Camera, _ func()) {
		first := kerneltest.IDs(s)[0]
		for _, c := range []struct {
			name string
			do   func()
			want bool
		}{
			{"without examples", func() {}, false},
			{"with an example", func() { add(s, first, "a") }, true},
			{"disabled", func() { s.Classes.Enable(first, false) }, false},
			{"enabled", func() { s.Classes.Enable(first, true) }, true},
			{"gone", func() { s.Classes.Remove(first) }, false},
		} {
			c.do()
			if got := s.Classes.Considers(kerneltest.Says(0, answer.Score{ID: first, Score: 1})); got != c.want || !s.Classes.Considers(Answer{}) {
				t.Errorf("a class %s is considered: %v", c.name, got)
			}
		}
	})
}

// Changes since the last save are not lost when another project is opened.
func TestOpeningRefusesWhatChangedMeanwhile(t *testing.T) {
	c := kerneltest.New().Classes
	kept := []project.Class{{ID: "class-7", Label: "cup", Disabled: true, Examples: []project.Example{{ID: "example-9"}}}}
	if c.Add(); c.Open(kept, nil, 0, false, func() { t.Error("accepted") }) || len(c.List()) != 3 {
		t.Errorf("opened over a change: %+v", c.List())
	}
	accepted := false
	opened := c.Open(kept, nil, c.K.Numbers().Document, false, func() {
		accepted = true
		if got := c.List(); len(got) != 0 {
			t.Errorf("classes %+v while the project is accepted", got)
		}
	})
	if !opened || !accepted || len(c.List()) != 1 {
		t.Errorf("opened %v, accepted %v, classes %+v", opened, accepted, c.List())
	}
}

// Disabled classes stay disabled when their project is opened, before and after the engine is
// loaded.
func TestDisabledClassesStayDisabled(t *testing.T) {
	doc := kerneltest.Cups()
	doc.Classes[1].Disabled = true
	for _, engineFirst := range []bool{true, false} {
		kerneltest.Bubble(t, func(t *testing.T) {
			s, e := kerneltest.New(), &kerneltest.Engine{}
			if engineFirst {
				s.EngineReady(e)
			}
			s.Project.StoreReady(kerneltest.NewStore(doc))
			if !engineFirst {
				s.EngineReady(e)
			}
			synctest.Wait()
			if c, _ := s.Classes.Find("class-2"); !c.Disabled {
				t.Errorf("engine first %v: the page shows it enabled", engineFirst)
			}
			if got := e.Calls(); !slices.Contains(got, "enable class-2 false") || slices.Contains(got, "enable class-1 false") {
				t.Errorf("engine first %v: the engine was told %q", engineFirst, got)
			}
		})
	}
}

func TestClassesThatAnswer(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, _ *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		all := kerneltest.IDs(s)
		for i, id := range append(all, s.Classes.Nothing()[0].ID) {
			s.AddFiles(id, []File{{Name: fmt.Sprint(i), Source: fmt.Sprint(i)}})
		}
		wait()
		if got := len(s.Classes.Answering()); got != 2 {
			t.Errorf("%d classes answer, want 2", got)
		}
		s.Classes.Enable(all[0], false)
		if got := len(s.Classes.Answering()); got != 1 {
			t.Errorf("%d classes answer while one is passed over, want 1", got)
		}
	})
}

// The engine forgets a removed example, and no other.
func TestRemovingOneExample(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, e *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		id := kerneltest.IDs(s)[0]
		add(s, id, "a", "b", "c")
		wait()
		examples := s.Classes.List()[0].Examples
		s.Classes.RemoveExamples(examples[1])
		wait()
		if want := []string{id + " " + examples[0], id + " " + examples[2]}; !slices.Equal(e.Examples(), want) {
			t.Errorf("the engine knows %v, want %v", e.Examples(), want)
		}
	})
}

// add adds files, which have their names as contents, to a class.
func add(s *Kernel, classID string, names ...string) {
	s.AddFiles(classID, kerneltest.Files(names...))
	synctest.Wait()
}

// classified returns the number of classified sources.
func classified(e *kerneltest.Engine) (n int) {
	for _, call := range e.Calls() {
		if strings.HasPrefix(call, "classify ") {
			n++
		}
	}
	return n
}
