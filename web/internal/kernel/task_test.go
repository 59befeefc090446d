package kernel_test

import (
	"testing"
	"time"

	. "github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/kerneltest"
)

// Work that the user waits for comes first: a project is saved after the picture was classified, or
// after a timeout.
func TestAnswersComeBeforeSaves(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, e *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		store := kerneltest.NewStore()
		s.Project.StoreReady(store)
		saves := func() int {
			store.Mu.Lock()
			defer store.Mu.Unlock()
			return store.Saves
		}
		id := kerneltest.IDs(s)[0]
		s.AddFiles(id, []File{{Name: "a", Source: "a"}})
		kerneltest.Rest(time.Second)
		for _, answered := range []bool{true, false} {
			before := saves()
			e.Mu.Lock()
			e.Working = make(chan struct{})
			e.Mu.Unlock()
			s.ShowPictures(File{Name: "test.jpg", Source: "test"})
			s.Classes.Rename(id, map[bool]string{true: "cup", false: "mug"}[answered])
			kerneltest.Rest(SaveLatest / 2)
			if saves() != before {
				t.Errorf("%d saves while a picture is looked at", saves()-before)
			}
			if answered {
				close(e.Working)
				kerneltest.Rest(SaveInterval)
			} else {
				kerneltest.Rest(SaveLatest / 2)
			}
			if saves() != before+1 {
				t.Errorf("answered %v: %d saves, want 1", answered, saves()-before)
			}
			if !answered {
				close(e.Working)
			}
			kerneltest.Rest(time.Second)
		}
	})
}
