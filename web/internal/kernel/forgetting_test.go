package kernel

import (
	"slices"
	"testing"
)

// saved waits until what has changed is kept: several changes at once take more than one
// turn of the saver.
func saved() { rest(5 * saveInterval) }

// What was deleted is kept as long as it can come back, and let go of after that.
func TestWhatCannotComeBackIsLetGo(t *testing.T) {
	run(t, func(t *testing.T, s *Kernel, _ *fakeEngine, _ *fakeCamera, _ func()) {
		store := newFakeStore()
		s.Project.StoreReady(store)
		class := ids(s)[0]
		s.AddFiles(class, []File{{"a", "a"}, {"b", "b"}})
		saved()
		two := s.Classes.List()[0].Examples
		s.Classes.Undo()
		saved()
		if len(store.forgotten) > 0 {
			t.Fatalf("%v were let go of, and can be brought back", store.forgotten)
		}
		s.Classes.Redo()
		saved()
		s.Classes.RemoveExample(two[0])
		saved()
		s.Classes.Rename(class, "cup")
		saved()
		if len(store.forgotten) > 0 {
			t.Fatalf("%v were let go of, and can be brought back by two steps", store.forgotten)
		}
		for range 3 {
			s.Classes.Undo()
		}
		saved()
		s.Classes.Add() // there is no way forward any more
		saved()
		slices.Sort(store.forgotten)
		if !slices.Equal(store.forgotten, two) {
			t.Errorf("%v were let go of, want %v", store.forgotten, two)
		}

		s.AddFiles(class, []File{{"c", "c"}})
		saved()
		third := s.Classes.List()[0].Examples
		s.Classes.Clear(class)
		for i := range maxSteps {
			if i == maxSteps-1 && len(store.forgotten) > 2 {
				t.Errorf("%v were let go of before there were %d steps", store.forgotten[2:], maxSteps)
			}
			s.Classes.Rename(class, []string{"cup", "mug"}[i%2])
			saved()
		}
		if got := store.forgotten[2:]; !slices.Equal(got, third) {
			t.Errorf("after %d steps %v were let go of, want %v", maxSteps, got, third)
		}
	})
}

// A project that is opened may have the ids of the one before: nothing of it is let go of.
func TestNothingOfAnotherProjectIsLetGo(t *testing.T) {
	run(t, func(t *testing.T, s *Kernel, _ *fakeEngine, _ *fakeCamera, _ func()) {
		store := newFakeStore(cups())
		s.Project.StoreReady(store)
		saved()
		class := ids(s)[0]
		s.Classes.RemoveExample("example-7")
		saved()
		s.Classes.Undo()
		s.Project.New()
		saved()
		s.Project.Open("project-cups")
		saved()
		s.Classes.Rename(class, "beaker")
		saved()
		if len(store.forgotten) > 0 {
			t.Errorf("%v were let go of", store.forgotten)
		}
	})
}

// Where nothing can be kept, what cannot come back is let go of all the same.
func TestWithoutStorageIsLetGo(t *testing.T) {
	for call, err := range map[string]error{
		"Projects": &Error{Code: CodeNoStore, Message: "denied"}, // a private window
		"Save":     &Error{Code: CodeFull, Message: "the disk is full"},
	} {
		t.Run(call, func(t *testing.T) {
			run(t, func(t *testing.T, s *Kernel, e *fakeEngine, _ *fakeCamera, _ func()) {
				store := newFakeStore()
				store.fail[call] = err
				s.Project.StoreReady(store)
				class := ids(s)[0]
				s.AddFiles(class, []File{{"a", "a"}, {"b", "b"}})
				saved()
				two := s.Classes.List()[0].Examples
				s.Classes.Clear(class)
				saved()
				s.Classes.Undo()
				saved()
				s.Classes.RemoveExample(two[0])
				saved()
				if len(store.forgotten) > 0 {
					t.Fatalf("%v were let go of, and can be brought back", store.forgotten)
				}
				for i := range maxSteps {
					s.Classes.Rename(class, []string{"cup", "mug"}[i%2])
					saved()
				}
				if want := two[:1]; !slices.Equal(store.forgotten, want) {
					t.Errorf("after %d steps %v were let go of, want %v", maxSteps, store.forgotten, want)
				}
				if want := two[1:]; !slices.Equal(s.Classes.List()[0].Examples, want) {
					t.Errorf("%v are left, want %v", s.Classes.List()[0].Examples, want)
				}
			})
		})
	}
}
