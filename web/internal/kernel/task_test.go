package kernel

import (
	"testing"
	"time"
)

// What a person waits for comes first: a project is kept once the picture is answered, and
// after a while in any case.
func TestAnswersComeBeforeSaves(t *testing.T) {
	run(t, func(t *testing.T, s *Kernel, e *fakeEngine, _ *fakeCamera, wait func()) {
		store := newFakeStore()
		s.Project.StoreReady(store)
		saves := func() int {
			store.mu.Lock()
			defer store.mu.Unlock()
			return store.saves
		}
		id := ids(s)[0]
		s.AddFiles(id, []File{{"a", "a"}})
		rest(time.Second)
		for _, answered := range []bool{true, false} {
			before := saves()
			e.mu.Lock()
			e.working = make(chan struct{})
			e.mu.Unlock()
			s.ShowPicture(File{"test.jpg", "test"})
			s.Classes.Rename(id, map[bool]string{true: "cup", false: "mug"}[answered])
			rest(saveLatest / 2)
			if saves() != before {
				t.Errorf("%d saves while a picture is looked at", saves()-before)
			}
			if answered {
				close(e.working)
				rest(saveInterval)
			} else {
				rest(saveLatest / 2)
			}
			if saves() != before+1 {
				t.Errorf("answered %v: %d saves, want 1", answered, saves()-before)
			}
			if !answered {
				close(e.working)
			}
			rest(time.Second)
		}
	})
}
