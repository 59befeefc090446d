package kernel_test

import (
	"slices"
	"testing"

	. "github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/kerneltest"
)

// saved waits until all changes are saved: concurrent changes may take several saves.
func saved() { kerneltest.Rest(5 * SaveInterval) }

// Removed examples are kept as long as undo or redo can restore them, then freed.
func TestWhatCannotComeBackIsLetGo(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, _ *kerneltest.Engine, _ *kerneltest.Camera, _ func()) {
		store := kerneltest.NewStore()
		s.Project.StoreReady(store)
		class := kerneltest.IDs(s)[0]
		s.AddFiles(class, []File{{Name: "a", Source: "a"}, {Name: "b", Source: "b"}})
		saved()
		two := s.Classes.List()[0].Examples
		s.Classes.Undo()
		saved()
		if len(store.Forgotten) > 0 {
			t.Fatalf("%v were let go of, and can be brought back", store.Forgotten)
		}
		s.Classes.Redo()
		saved()
		s.Classes.RemoveExamples(two[0])
		saved()
		s.Classes.Rename(class, "cup")
		saved()
		if len(store.Forgotten) > 0 {
			t.Fatalf("%v were let go of, and can be brought back by two steps", store.Forgotten)
		}
		for range 3 {
			s.Classes.Undo()
		}
		saved()
		s.Classes.Add()
		saved()
		slices.Sort(store.Forgotten)
		if !slices.Equal(store.Forgotten, two) {
			t.Errorf("%v were let go of, want %v", store.Forgotten, two)
		}

		s.AddFiles(class, []File{{Name: "c", Source: "c"}})
		saved()
		third := s.Classes.List()[0].Examples
		s.Classes.Rename(class, "beaker") // so that two steps have it
		saved()
		s.Classes.Clear(class)
		for i := range MaxSteps {
			if i == MaxSteps-1 && len(store.Forgotten) > 2 {
				t.Errorf("%v were let go of before there were %d steps", store.Forgotten[2:], MaxSteps)
			}
			s.Classes.Rename(class, []string{"cup", "mug"}[i%2])
			saved()
		}
		if got := store.Forgotten[2:]; !slices.Equal(got, third) {
			t.Errorf("after %d steps %v were let go of, want %v", MaxSteps, got, third)
		}
	})
}

// Another project may use the same ids: none of its examples are freed.
func TestNothingOfAnotherProjectIsLetGo(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, _ *kerneltest.Engine, _ *kerneltest.Camera, _ func()) {
		store := kerneltest.NewStore(kerneltest.Cups())
		s.Project.StoreReady(store)
		saved()
		class := kerneltest.IDs(s)[0]
		s.Classes.RemoveExamples("example-7")
		saved()
		s.Classes.Undo()
		s.Project.New()
		saved()
		s.Project.Open("project-cups")
		saved()
		s.Classes.Rename(class, "beaker")
		saved()
		if len(store.Forgotten) > 0 {
			t.Errorf("%v were let go of", store.Forgotten)
		}
	})
}

// Without a store, examples out of reach are freed too.
func TestWithoutStorageIsLetGo(t *testing.T) {
	for call, err := range map[string]error{
		"Projects": &Error{Code: CodeNoStore, Message: "denied"},
		"Save":     &Error{Code: CodeFull, Message: "the disk is full"},
	} {
		t.Run(call, func(t *testing.T) {
			kerneltest.Run(t, func(t *testing.T, s *Kernel, e *kerneltest.Engine, _ *kerneltest.Camera, _ func()) {
				store := kerneltest.NewStore()
				store.Fail[call] = err
				s.Project.StoreReady(store)
				class := kerneltest.IDs(s)[0]
				s.AddFiles(class, []File{{Name: "a", Source: "a"}, {Name: "b", Source: "b"}})
				saved()
				two := s.Classes.List()[0].Examples
				s.Classes.Clear(class)
				saved()
				s.Classes.Undo()
				saved()
				s.Classes.RemoveExamples(two[0])
				saved()
				if len(store.Forgotten) > 0 {
					t.Fatalf("%v were let go of, and can be brought back", store.Forgotten)
				}
				for i := range MaxSteps {
					s.Classes.Rename(class, []string{"cup", "mug"}[i%2])
					saved()
				}
				if want := two[:1]; !slices.Equal(store.Forgotten, want) {
					t.Errorf("after %d steps %v were let go of, want %v", MaxSteps, store.Forgotten, want)
				}
				if want := two[1:]; !slices.Equal(s.Classes.List()[0].Examples, want) {
					t.Errorf("%v are left, want %v", s.Classes.List()[0].Examples, want)
				}
			})
		})
	}
}
