package kernel_test

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	. "github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/kerneltest"
)

// If some examples of a project are damaged, the others are restored and saved: the next visit
// reports nothing.
func TestLostExamplesAreNamed(t *testing.T) {
	kerneltest.Bubble(t, func(t *testing.T) {
		doc := kerneltest.Cups()
		doc.Lost = 2
		s, store := kerneltest.New(), kerneltest.NewStore(doc)
		s.EngineReady(&kerneltest.Engine{})
		s.Project.StoreReady(store)
		synctest.Wait()
		if got, want := outline(s), "cup(example-7 example-8) mug(example-40)"; got != want {
			t.Errorf("the page shows %s, want %s", got, want)
		}
		notices := s.Notices.List()
		if len(notices) != 1 || !strings.Contains(notices[0].Title, "2 examples of Cups") {
			t.Errorf("notices %+v, want one of 2 examples of Cups", notices)
		}
		kerneltest.Rest(SaveInterval)
		if store.Saves == 0 || store.Kept[doc.ID].Lost != 0 {
			t.Errorf("%d saves; of what was kept %d examples are lost", store.Saves, store.Kept[doc.ID].Lost)
		}
	})
}

// A damaged project is named and listed, and other projects still open.
func TestDamagedProjectsAreSetAside(t *testing.T) {
	kerneltest.Bubble(t, func(t *testing.T) {
		s, store := kerneltest.New(), kerneltest.NewStore(kerneltest.Cups())
		store.Damaged = []string{"project-x"}
		s.EngineReady(&kerneltest.Engine{})
		s.Project.StoreReady(store)
		synctest.Wait()
		if got, want := outline(s), "cup(example-7 example-8) mug(example-40)"; got != want {
			t.Errorf("the page shows %s, want %s", got, want)
		}
		notices := s.Notices.List()
		if len(notices) != 1 || notices[0].Title != "A project could not be opened" {
			t.Errorf("notices %+v, want one of a project without a name", notices)
		}
		listed := func() bool {
			return slices.ContainsFunc(s.Project.State().Kept, func(p ProjectInfo) bool { return p.Damaged && p.ID == "project-x" })
		}
		if !listed() {
			t.Errorf("the list is %+v, without the damaged project", s.Project.State().Kept)
		}
		s.Project.Remove("project-x")
		synctest.Wait()
		if listed() || outline(s) == "" {
			t.Errorf("after it was put away the list is %+v", s.Project.State().Kept)
		}
	})
}
