//go:build !js

package keep_test

import (
	"strings"
	"testing"
	"time"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/web/internal/studiotest"
)

// fill adds examples until the page reports that they cannot be saved, and returns the number of
// saved ones.
func (s *studio) fill() (kept int) {
	s.T.Helper()
	for range 40 {
		kept = s.Count(".thumbnail")
		s.Drop(studiotest.Card(1), studiotest.PictureFile(s.T, "more.jpg", studiotest.Red))
		s.WaitCount(".thumbnail", kept+1)
		s.WaitFor(`document.querySelector(".message.warning") || document.querySelector("#kept.saved")?.innerText.includes("Saved")`)
		if s.Count(".message.warning") == 0 {
			continue
		}
		for _, want := range []string{"The last changes are not saved", "There is no space left: delete projects or examples", "save the project as a file"} {
			if got := s.Text(".message.warning"); !strings.Contains(got, want) {
				s.T.Errorf("the page says %q, want it to mention %q", got, want)
			}
		}
		if s.Count("#kept.saved") > 0 {
			s.T.Error("it also says that all is saved")
		}
		return kept
	}
	s.T.Fatal("40 examples fit where there is no room for 20")
	return 0
}

// keptAgain retries until the project is saved: the browser checks its quota only now and then.
func (s *studio) keptAgain() {
	s.T.Helper()
	for end := time.Now().Add(3 * time.Minute); s.Count("#kept.saved") == 0; time.Sleep(2 * time.Second) {
		if time.Now().After(end) {
			s.T.Fatalf("there is room for 3 minutes, and the page still says %q", s.Text(".message.warning"))
		}
		s.Eval(`document.querySelector(".message.warning .plain")?.click()`)
	}
	s.IsKept()
}

// A full disk loses no saved examples. The page names the remedy, saves again after examples were
// removed or space was freed, and then has everything.
func TestStorageIsFull(t *testing.T) {
	s := open(t, browsertest.Options{})
	s.Ready()
	s.kept() // the page itself uses the same storage
	// Chromium checks the quota at the first write, then every half minute. An example takes 53 kB.
	s.Quota(700_000)
	s.teach()
	s.IsKept()

	s.fill()
	s.Shot("storage-full")
	s.Click("#undo") // remove the example that does not fit
	s.Quota(20_000)  // too little for an example, and enough for the names of the others
	s.keptAgain()
	s.WaitCount(".message", 0)
	kept, before := s.Count(".thumbnail"), s.exact()

	more := s.fill()
	s.Revisit()
	s.WaitCount(".thumbnail", more)
	if after := s.exact(); more == kept && !same(before, after, order) {
		t.Errorf("scores %v, and %v of what was kept before there was no room", before, after)
	}

	kept = 1 + s.fill()
	taught := s.exact()
	s.Quota(-1)
	s.keptAgain()
	s.WaitCount(".message", 0)
	s.Revisit()
	s.WaitCount(".thumbnail", kept)
	if after := s.exact(); !same(taught, after, order) {
		t.Errorf("scores %v, and %v of what was kept once there was room", taught, after)
	}
	t.Logf("the storage was full 3 times; %d examples, none lost that was kept, and all once there was room", kept)
	s.Quiet()
}

// When the disk is full, deleting a project frees its space, as the notice advises: at once if there is no room to
// mark it, or at the next save.
func TestDeletedProjectsMakeRoom(t *testing.T) {
	s := open(t, browsertest.Options{})
	s.Ready()
	s.kept()
	s.Quota(1_200_000)
	for n := range 10 {
		s.Drop(studiotest.Card(1), studiotest.PictureFile(t, "old.jpg", studiotest.Blue))
		s.WaitCount(".thumbnail", n+1)
	}
	s.IsKept()
	s.projects()
	s.Click("#new-project")
	s.WaitCount(".thumbnail", 0)

	all := s.fill() + 1
	s.projects()
	s.WaitCount(".projects .row", 2)
	s.Click(".projects .row:not(.current) .removes")
	s.WaitFor(`(document.querySelector(".message.warning .plain")?.click(), new Promise((resolve) => {
		indexedDB.open("deepemd").onsuccess = ({ target: { result: database } }) => {
			database.transaction("projects").objectStore("projects").count().onsuccess = ({ target }) => {
				database.close();
				resolve(target.result === 1);
			};
		};
	}))`)
	s.Quota(-1) // Chromium frees the space of deleted records only at some later time
	s.keptAgain()
	s.Revisit()
	s.WaitCount(".thumbnail", all)
	s.Quiet()
}
