package kernel_test

import (
	"slices"
	"testing"

	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/internal/require"
	. "github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/kerneltest"
	"github.com/deepemd/deepemd/web/internal/texts"
)

// The background class is added with its first example. List omits it, and undo and redo include
// it.
func TestNothingBeginsWithItsFirstExample(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, e *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		wait()
		told := len(e.Calls())
		empty := s.Classes.Nothing()
		if len(empty) != 1 || !empty[0].Nothing || len(empty[0].Examples) != 0 {
			t.Fatalf("%+v, want one class of nothing without examples", empty)
		}
		if classes := s.Classes.Kept(); len(classes) != 2 || len(e.Calls()) != told {
			t.Errorf("the project has %+v and the engine was told %q before there was an example", classes, e.Calls()[told:])
		}
		id := empty[0].ID
		add(s, id, "desk", "wall")
		want := []string{"add nothing " + id + " " + texts.In("en").Class.Nothing, "teach " + id + " desk", "teach " + id + " wall"}
		if got := e.Calls()[told:]; !slices.Equal(got, want) {
			t.Errorf("the engine was told %q, want %q", got, want)
		}
		if got := s.Classes.Nothing(); len(got) != 1 || got[0].ID != id || len(got[0].Examples) != 2 {
			t.Errorf("%+v, want its two examples", got)
		}
		if len(kerneltest.IDs(s)) != 2 || s.Classes.Examples() != 2 {
			t.Errorf("classes %q with %d examples, want two, and the examples of nothing", kerneltest.IDs(s), s.Classes.Examples())
		}
		if s.Classes.Add(); s.Classes.List()[2].Label != "Class 3" {
			t.Errorf("a third class is %+v", s.Classes.List()[2])
		}
		s.Classes.Undo()
		s.Classes.Undo()
		wait()
		if got := s.Classes.Nothing(); len(got) != 1 || got[0].ID != id || len(got[0].Examples) != 0 {
			t.Errorf("%+v after undoing, want no examples", got)
		}
		if classes := s.Classes.Kept(); len(classes) != 2 {
			t.Errorf("the project keeps %+v", classes)
		}
		s.Classes.Redo()
		wait()
		if got := s.Classes.Nothing(); len(got) != 1 || len(got[0].Examples) != 2 {
			t.Errorf("%+v after doing it again, want two examples", got)
		}
	})
}

// The engine gets the background class before its first example, even from a camera.
func TestNothingIsHeld(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, e *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		s.Camera.Start("")
		wait()
		id := s.Classes.Nothing()[0].ID
		told := len(e.Calls())
		s.Capture.Hold(id)
		s.Capture.Release()
		wait()
		want := []string{"add nothing " + id + " " + texts.In("en").Class.Nothing, "teach " + id + " frame"}
		if got := e.Calls()[told:]; !slices.Equal(got, want) {
			t.Errorf("the engine was told %q, want %q", got, want)
		}
	})
}

// The name of the background class follows the language; several background classes have different names.
func TestTheNameOfNothing(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, _ *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		s.Project.StoreReady(kerneltest.NewStore())
		wait()
		id := s.Classes.Nothing()[0].ID
		for _, language := range []string{"en", "de", "es"} {
			s.SetLanguage(texts.In(language))
			want := texts.In(language).Class.Nothing
			if got := s.Classes.Nothing()[0].Label; got != want {
				t.Errorf("in %s it is %q, want %q", language, got, want)
			}
			add(s, id, language)
			if got, _ := s.Classes.Find(id); got.Label != want {
				t.Errorf("with examples in %s it is %q, want %q", language, got.Label, want)
			}
		}
		doc := Document{Manifest: project.Manifest{Classes: []project.Class{
			{ID: "floor", Label: "Floor", Nothing: true}, {ID: "wall", Label: "Wall", Nothing: true},
		}}}
		require.NoError(t, s.Project.ShowDocument(doc, false))
		if got := s.Classes.Nothing(); len(got) != 2 || got[0].Label != "Floor" || got[1].Label != "Wall" {
			t.Errorf("%+v, want floor and wall", got)
		}
	})
}

// A project saves its background class, and a project with several keeps all.
func TestNothingIsKeptAndOpened(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, e *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		store := kerneltest.NewStore()
		s.Project.StoreReady(store)
		wait()
		s.AddFiles(s.Classes.Nothing()[0].ID, []File{{Name: "desk", Source: "desk"}})
		add(s, kerneltest.IDs(s)[0], "cup")
		kerneltest.Rest(SaveInterval)
		kept := s.Project.State().Kept
		if len(kept) != 1 || kept[0].Classes != 2 || kept[0].Examples != 2 {
			t.Fatalf("kept %+v, want two classes and two examples", kept)
		}
		doc := require.Value(store.Open(kept[0].ID))(t)
		last := doc.Classes[len(doc.Classes)-1]
		if len(doc.Classes) != 3 || !last.Nothing || len(last.Examples) != 1 {
			t.Fatalf("the project holds %+v, want a class of nothing at the end", doc.Classes)
		}

		// An ordinary class may have the default id of the background class.
		doc.Classes = append(doc.Classes[:2:2], project.Class{ID: "nothing", Label: "Zero"},
			project.Class{ID: "floor", Label: "Floor", Nothing: true, Examples: []project.Example{{ID: "floor-1"}}})
		require.NoError(t, s.Project.ShowDocument(doc, false))
		wait()
		if got := s.Classes.Nothing(); len(got) != 1 || got[0].ID != "floor" {
			t.Errorf("opened with %+v, want the floor", got)
		}
		if told := e.Calls(); !slices.Contains(told, "add nothing floor Floor") || !slices.Contains(told, "add nothing Zero") {
			t.Errorf("the engine was told %q", told)
		}
		s.Classes.Remove("floor")
		wait()
		if got := s.Classes.Nothing(); len(got) != 1 || got[0].ID != "nothing-" || len(got[0].Examples) != 0 {
			t.Errorf("%+v, want an empty one of another id than the class", got)
		}
	})
}
