package guide

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/kerneltest"
	"github.com/deepemd/deepemd/web/internal/texts"
)

// The demo uses every picture of its folder, and every language names its things.
func TestDemoIsWhole(t *testing.T) {
	there := require.Value(filepath.Glob("../../../static/web/demo/*.jpg"))(t)
	for _, thing := range Things {
		for n := range Pictures {
			if !slices.ContainsFunc(there, func(path string) bool { return filepath.Base(path) == Picture(thing, n+1) }) {
				t.Errorf("%s is missing", Picture(thing, n+1))
			}
		}
		for _, language := range texts.Languages() {
			if texts.In(language.Code).Guide.Things[thing] == "" {
				t.Errorf("%s has no word for %q", language.Code, thing)
			}
		}
	}
	if len(there) != len(Things)*Pictures {
		t.Errorf("the folder has %v", there)
	}
}

// open returns the name as the content of a picture.
func open(name string) (kernel.Source, error) { return name, nil }

func TestDemoTakesEmptyClassesFirst(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *kernel.Kernel, e *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		d := &Demo{Part: kernel.Part{K: s}}
		mine := kerneltest.IDs(s)[0]
		s.Classes.Rename(mine, "mine")
		s.AddFiles(mine, []kernel.File{{Name: "a", Source: "a"}})
		wait()
		d.Fetch(open)
		wait()

		var classes []string
		for _, c := range s.Classes.List() {
			classes = append(classes, fmt.Sprint(c.Label, len(c.Examples)))
		}
		if want := []string{"mine1", "Apple3", "Banana3", "Orange3", "Cat3"}; !slices.Equal(classes, want) {
			t.Errorf("classes %q, want %q", classes, want)
		}
		for i, c := range s.Classes.List()[1:] {
			if call := fmt.Sprintf("teach %s %s%s", c.ID, demoFolder, Picture(Things[i], 3)); !slices.Contains(e.Calls(), call) {
				t.Errorf("%s has not learned from its third picture: %q", c.Label, e.Calls())
			}
		}
		tries := d.Tries()
		if len(tries) != 8 || tries[1].Name != "./web/demo/banana-4.jpg" || tries[4].Name != "./web/demo/apple-5.jpg" {
			t.Errorf("pictures to try %v, want one of each class after the other", tries)
		}
		if p := s.Live.Shown.Picture(); p == nil || p.Name != tries[0].Name {
			t.Errorf("the stage shows %v, want the first picture to try", p)
		}
	})
}

// The pictures to try depend on the demo's classes: they disappear and return with them, and belong
// to one project.
func TestDemoGoesWithItsClasses(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *kernel.Kernel, e *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		d := &Demo{Part: kernel.Part{K: s}}
		s.Project.StoreReady(kerneltest.NewStore(kerneltest.Cups()))
		s.Project.New()
		wait()
		there := func(what string, want bool) {
			t.Helper()
			wait()
			if got := len(d.Tries()) > 0; got != want {
				t.Errorf("%s: pictures to try are there: %v, want %v", what, got, want)
			}
		}
		there("nothing was asked for", false)
		d.Fetch(open)
		there("taught", true)
		s.Classes.Undo()
		there("undone", false)
		s.Classes.Redo()
		there("done again", true)

		all := kerneltest.IDs(s)
		s.Classes.Clear(all[0])
		there("one class is empty", true)
		for _, id := range all[1:] {
			s.Classes.Remove(id)
		}
		there("the others are gone", false)
		s.Classes.Undo()
		there("one is back", true)

		demo := s.Project.State().ID
		s.Project.New()
		there("a new project", false)
		s.AddFiles(kerneltest.IDs(s)[0], []kernel.File{{Name: "a", Source: "a"}})
		there("a new project with an example", false)
		s.Project.Open(kerneltest.Cups().ID)
		there("a project whose classes have the same ids", false)
		s.Project.Open(demo)
		there("the project that was taught with the demo", true)
		kerneltest.Rest(2 * kernel.SaveInterval)
	})
}

func TestDemoThatDoesNotArrive(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *kernel.Kernel, _ *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		d := &Demo{Part: kernel.Part{K: s}}
		d.Fetch(func(name string) (kernel.Source, error) { return nil, errors.New(name + ": 404") })
		if n := s.Notices.List(); len(n) != 1 || n[0].Title == "" || n[0].Text == "" {
			t.Errorf("notices %+v, want one that says why", n)
		}
		d.Fetch(open)
		wait()
		if len(d.Tries()) == 0 {
			t.Error("it does not arrive the second time either")
		}
	})
}

// A second click while the pictures load does not teach them again, and a project that is opened while
// they load does not get them.
func TestDemoThatLoadsSlowly(t *testing.T) {
	slowly := func(name string) (kernel.Source, error) {
		time.Sleep(5 * time.Second)
		return name, nil
	}
	for _, leaves := range []bool{false, true} {
		kerneltest.Run(t, func(t *testing.T, s *kernel.Kernel, _ *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
			d := &Demo{Part: kernel.Part{K: s}}
			s.Project.StoreReady(kerneltest.NewStore(kerneltest.Cups()))
			s.Project.New()
			wait()
			go d.Fetch(slowly)
			kerneltest.Rest(time.Second)
			go d.Fetch(slowly)
			want := len(Things) * Examples
			if leaves {
				s.Project.Open(kerneltest.Cups().ID)
				want = 3
			}
			kerneltest.Rest(10 * time.Second)
			if n := s.Classes.Examples(); n != want || (s.Live.Shown.Picture() == nil) != leaves {
				t.Errorf("another project was opened: %v; %d examples, want %d; %v is on the stage", leaves, n, want, s.Live.Shown.Picture())
			}
		})
	}
}
