package kernel_test

import (
	"errors"
	"slices"
	"testing"

	. "github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/kerneltest"
)

func TestDemoTakesEmptyClassesFirst(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, e *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		mine := kerneltest.IDs(s)[0]
		s.Classes.Rename(mine, "mine")
		s.AddFiles(mine, []File{{"a", "a"}})
		wait()
		s.Demo.Show([]ClassFiles{{"cat", []File{{"c1", "c1"}, {"c2", "c2"}}}, {"cup", []File{{"u1", "u1"}}}}, []File{{"c3", "c3"}, {"u2", "u2"}})
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
		if got := len(s.Demo.Tries()); got != 2 {
			t.Errorf("%d pictures to try, want 2", got)
		}
		if p := s.Live.State().Picture; p == nil || p.Name != "c3" {
			t.Errorf("the stage shows %v, want the first picture to try", p)
		}
	})
}

// The pictures to try are there for as long as what they are like was taught: they go with
// the classes and come back with them, and belong to one project.
func TestDemoGoesWithItsClasses(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, e *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		s.Project.StoreReady(kerneltest.NewStore())
		wait()
		there := func(what string, want bool) {
			t.Helper()
			wait()
			if got := len(s.Demo.Tries()) > 0; got != want {
				t.Errorf("%s: pictures to try are there: %v, want %v", what, got, want)
			}
		}
		there("nothing was asked for", false)
		s.Demo.Show([]ClassFiles{{"cat", []File{{"c1", "c1"}}}, {"cup", []File{{"u1", "u1"}}}}, []File{{"c2", "c2"}})
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
		s.AddFiles(kerneltest.IDs(s)[0], []File{{"a", "a"}})
		there("a new project with an example", false)
		s.Project.Open(demo)
		there("the project that was taught with the demo", true)
		kerneltest.Rest(2 * SaveInterval)
	})
}

func TestDemoThatDoesNotArrive(t *testing.T) {
	s := kerneltest.New()
	s.Demo.Failed(errors.New("cat-1.jpg: 404"))
	if n := s.Notices.List(); len(n) != 1 || n[0].Title == "" || n[0].Text == "" {
		t.Errorf("notices %+v, want one that says why", n)
	}
}
