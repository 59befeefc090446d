package kernel_test

import (
	"slices"
	"testing"

	"github.com/deepemd/deepemd/core/project"
	. "github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/kerneltest"
	"github.com/deepemd/deepemd/web/internal/texts"
)

func TestLanguageOfWhatWasSaidAlready(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, e *kerneltest.Engine, c *kerneltest.Camera, wait func()) {
		first := kerneltest.IDs(s)[0]
		s.Classes.Rename(first, "cup")
		s.Capture.Hold(first)
		wait()
		told := 0
		s.Language.Watch(func() { told++ })
		s.SetLanguage(texts.In("de"))
		wait()

		if n := s.Notices.List(); len(n) != 1 || n[0].Title != texts.In("de").Notice.CameraOff {
			t.Errorf("notices %+v, want one in German", n)
		}
		var labels []string
		for _, c := range s.Classes.List() {
			labels = append(labels, c.Label)
		}
		if want := []string{"cup", "Klasse 2"}; !slices.Equal(labels, want) {
			t.Errorf("classes %q, want %q", labels, want)
		}
		if got, want := e.Calls(), "rename "+kerneltest.IDs(s)[1]+" Klasse 2"; got[len(got)-1] != want {
			t.Errorf("the engine was told %q last, want %q", got[len(got)-1], want)
		}
		if told != 1 {
			t.Errorf("told of the language %d times, want once", told)
		}
		s.SetLanguage(texts.In("en"))
		if got := s.Classes.List()[1].Label; got != "Class 2" {
			t.Errorf("the class is called %q in English, want Class 2", got)
		}
	})
}

// Default names follow the language also after a project was opened; other names do not.
func TestDefaultNamesOfAnOpenedProject(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, e *kerneltest.Engine, c *kerneltest.Camera, wait func()) {
		s.Project.StoreReady(kerneltest.NewStore())
		wait()
		s.SetLanguage(texts.In("es"))
		s.Project.BeginWith(func() Document {
			return Document{Manifest: project.Manifest{Name: "Project 3", Classes: []project.Class{
				s.Classes.Described(0, "Class 1", nil), s.Classes.Described(1, "Class 1 b", nil), s.Classes.Described(2, "Clase 7", nil),
			}}}
		})
		wait()
		if got := s.Project.State(); got.Name != "Proyecto 3" || s.Classes.List()[0].Label != "Clase 1" {
			t.Errorf("%q in Spanish, with %q", got.Name, s.Classes.List()[0].Label)
		}
		s.SetLanguage(texts.In("de"))
		wait()
		listed := s.Project.OfKind([]ProjectInfo{{Kind: project.KindImage, Name: "Proyecto 3"}})[0].Name
		if got := s.Project.State().Name; got != "Projekt 3" || listed != got {
			t.Errorf("%q in German, %q in the list", got, listed)
		}
		var labels []string
		for _, c := range s.Classes.List() {
			labels = append(labels, c.Label)
		}
		if want := []string{"Klasse 1", "Class 1 b", "Klasse 7"}; !slices.Equal(labels, want) {
			t.Errorf("classes %q, want %q", labels, want)
		}
	})
}

// Default names that undo and redo restore are in the page's language.
func TestLanguageOfSteps(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, _ *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		s.Classes.Rename(s.Classes.Add(), "cup")
		s.Classes.Undo()
		s.SetLanguage(texts.In("de"))
		for _, c := range []struct {
			step func()
			want []string
		}{
			{s.Classes.Undo, []string{"Klasse 1", "Klasse 2"}},
			{s.Classes.Redo, []string{"Klasse 1", "Klasse 2", "Klasse 3"}},
			{s.Classes.Redo, []string{"Klasse 1", "Klasse 2", "cup"}},
		} {
			c.step()
			var labels []string
			for _, c := range s.Classes.List() {
				labels = append(labels, c.Label)
			}
			if !slices.Equal(labels, c.want) {
				t.Errorf("classes %q, want %q", labels, c.want)
			}
		}
		wait()
	})
}

// The words for images or sounds stay when the language changes.
func TestWordsOfAKind(t *testing.T) {
	s := New(project.KindSound, texts.In("de"))
	if got := s.Texts().Camera.Start; got != "Mikrofon starten" {
		t.Errorf("%q in German", got)
	}
	s.SetLanguage(texts.In("en"))
	if got := s.Texts().Camera.Start; got != "Start microphone" {
		t.Errorf("%q in English", got)
	}
}
