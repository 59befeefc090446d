package guide

import (
	"errors"
	"slices"
	"testing"

	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/kerneltest"
)

func TestDemoTakesEmptyClassesFirst(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *kernel.Kernel, e *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		d := &Demo{Part: kernel.Part{K: s}}
		mine := kerneltest.IDs(s)[0]
		s.Classes.Rename(mine, "mine")
		s.AddFiles(mine, []kernel.File{{Name: "a", Source: "a"}})
		wait()
		d.Show([]kernel.ClassFiles{{Label: "cat", Files: []kernel.File{{Name: "c1", Source: "c1"}, {Name: "c2", Source: "c2"}}}, {Label: "cup", Files: []kernel.File{{Name: "u1", Source: "u1"}}}}, []kernel.File{{Name: "c3", Source: "c3"}, {Name: "u2", Source: "u2"}})
		wait()

		var labels []string
		var counts []int
		for _, c := range s.Classes.List() {
			labels = append(labels, c.Label)
			counts = append(counts, len(c.Examples))
		}
		if !slices.Equal(labels, []string{"mine", "cat", "cup"}) || !slices.Equal(counts, []int{1, 2, 1}) {
			t.Errorf("classes %q with %v examples, want mine, cat and cup with 1, 2 and 1", labels, counts)
		}
		if got := len(d.Tries()); got != 2 {
			t.Errorf("%d pictures to try, want 2", got)
		}
		if p := s.Live.State().Picture; p == nil || p.Name != "c3" {
			t.Errorf("the stage shows %v, want the first picture to try", p)
		}
	})
}

// The pictures to try depend on the demo's classes: they disappear and return with them, and belong
// to one project.
func TestDemoGoesWithItsClasses(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *kernel.Kernel, e *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		d := &Demo{Part: kernel.Part{K: s}}
		s.Project.StoreReady(kerneltest.NewStore())
		wait()
		there := func(what string, want bool) {
			t.Helper()
			wait()
			if got := len(d.Tries()) > 0; got != want {
				t.Errorf("%s: pictures to try are there: %v, want %v", what, got, want)
			}
		}
		there("nothing was asked for", false)
		d.Show([]kernel.ClassFiles{{Label: "cat", Files: []kernel.File{{Name: "c1", Source: "c1"}}}, {Label: "cup", Files: []kernel.File{{Name: "u1", Source: "u1"}}}}, []kernel.File{{Name: "c2", Source: "c2"}})
		there("taught", true)
		s.Classes.Undo()
		there("undone", false)
		s.Classes.Redo()
		there("done again", true)

		all := kerneltest.IDs(s)
		s.Classes.Clear(all[0])
		there("one class is empty", true)
		s.Classes.Remove(all[1])
		there("the other is gone", false)
		s.Classes.Undo()
		there("the other is back", true)

		demo := s.Project.State().ID
		s.Project.New()
		there("a new project", false)
		s.AddFiles(kerneltest.IDs(s)[0], []kernel.File{{Name: "a", Source: "a"}})
		there("a new project with an example", false)
		s.Project.Open(demo)
		there("the project that was taught with the demo", true)
		kerneltest.Rest(2 * kernel.SaveInterval)
	})
}

func TestDemoThatDoesNotArrive(t *testing.T) {
	s := kerneltest.New()
	d := &Demo{Part: kernel.Part{K: s}}
	d.Failed(errors.New("cat-1.jpg: 404"))
	if n := s.Notices.List(); len(n) != 1 || n[0].Title == "" || n[0].Text == "" {
		t.Errorf("notices %+v, want one that says why", n)
	}
}
