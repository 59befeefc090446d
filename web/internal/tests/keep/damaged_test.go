//go:build !js

package keep_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/web/internal/studiotest"
)

// change changes the page's database and waits for that.
func (s *studio) change(script string) {
	s.T.Helper()
	browsertest.Eval[bool](s.Browser, fmt.Sprintf(`(async () => {
		const database = await new Promise((resolve) => { indexedDB.open("deepemd").onsuccess = ({ target }) => resolve(target.result); });
		const change = database.transaction(["projects", "examples"], "readwrite");
		const projects = change.objectStore("projects"), examples = change.objectStore("examples");
		const all = (store) => new Promise((resolve) => { store.getAll().onsuccess = ({ target }) => resolve(target.result); });
		%s
		await new Promise((resolve) => (change.oncomplete = resolve));
		database.close();
		return true;
	})()`, script))
}

// A missing record, a truncated one and a NaN embedding damage nothing else: the rest opens, new
// examples are saved, and the next visit reports nothing.
func TestDamagedExamples(t *testing.T) {
	s := open(t, browsertest.Options{})
	s.Ready()
	s.teach()
	s.IsKept()
	s.change(`
		const [missing, short, bad] = await all(examples);
		examples.delete([missing.project, missing.id]);
		examples.put({ ...short, pixels: short.pixels.slice(7) });
		examples.put({ ...bad, embedding: bad.embedding.fill(NaN) });`)
	s.Revisit()
	s.Ready()
	s.WaitCount(".thumbnail", 2)
	s.WaitFor(`document.querySelector(".message")?.innerText.includes("2 examples of")`)
	s.Shot("damaged-examples")
	s.Drop(studiotest.Card(1), studiotest.PictureFile(t, "e.jpg", studiotest.Red), studiotest.PictureFile(t, "f.jpg", studiotest.Red))
	s.WaitCount(".thumbnail", 4)
	s.IsKept()
	before := s.exact()

	s.Revisit()
	s.Ready()
	s.WaitCount(".thumbnail", 4)
	s.IsKept()
	if after := s.exact(); !same(before, after, order) {
		t.Errorf("scores %v, after the next visit %v", before, after)
	}
	if n := s.Count(".message"); n != 0 {
		t.Errorf("the next visit shows %d messages, first %q", n, s.Text(".message"))
	}
}

// A project with a damaged record is named, can be removed, and hides no other.
func TestDamagedProject(t *testing.T) {
	s := open(t, browsertest.Options{})
	s.Ready()
	s.teach()
	s.IsKept()
	s.change(`
		projects.put({ id: "project-x", used: Date.now(), manifest: { name: "Leaves", kind: "image", classes: null } });
		projects.put({ id: "project-y", used: "yesterday" });`)
	s.Revisit()
	s.Ready()
	s.WaitCount(".thumbnail", 4)
	s.WaitFor(`document.querySelector(".message")?.innerText.includes("could not be opened")`)
	if got := s.labels(); got != "red disc, blue disc" {
		t.Errorf("the classes are %q", got)
	}
	s.OpenDialog("#open-projects", "#projects")
	s.WaitFor(`document.querySelectorAll("#projects[open] .row").length === 3`)
	rows := browsertest.Eval[[]string](s.Browser, `[...document.querySelectorAll("#projects .row")].map((r) => r.innerText)`)
	if len(rows) != 3 || !strings.Contains(strings.Join(rows, "|"), "Leaves\ndamaged") || !strings.Contains(strings.Join(rows, "|"), "A project\ndamaged") {
		t.Errorf("the list shows %q", rows)
	}
	s.Shot("damaged-project")
	s.Click(`#projects [data-project="project-x"] .removes`)
	s.WaitFor(`document.querySelectorAll("#projects .row").length === 2`)
	s.Drop(studiotest.Card(1), studiotest.PictureFile(t, "e.jpg", studiotest.Red))
	s.WaitCount(".thumbnail", 5)
	s.IsKept()
}
