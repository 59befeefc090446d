//go:build !js

package embed_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/deepemd/deepemd/internal/browsertest"
)

// The menu leads from the index to every guide and manual. Each starts with its heading, fits a
// phone, and has all its images.
func TestGuides(t *testing.T) {
	s := open(t, "/docs/", browsertest.Options{})
	pages := browsertest.Eval[[]string](s.Browser, `Array.from(document.querySelectorAll("nav a[href$='.html']"), (a) => a.getAttribute("href"))`)
	if len(pages) == 0 || s.Count("main .card") != len(pages)+2 {
		t.Errorf("%d pages in the menu, %d on the index", len(pages), s.Count("main .card"))
	}
	portraits(s, "docs-index")
	for _, page := range pages {
		s.Click(fmt.Sprintf("nav a[href=%q]", page))
		s.WaitFor(fmt.Sprintf(`location.pathname.endsWith(%q) && document.readyState === "complete"`, page))
		if heading := s.Text("main h1"); heading == "" || s.Text("nav [aria-current]") == "" {
			t.Errorf("%s has the heading %q", page, heading)
		}
		s.WaitFor(`Array.from(document.images).every((i) => i.complete && i.naturalWidth > 0)`)
		portraits(s, "docs-"+page)
	}
	s.Quiet()
}

// The reference works under the server's policy: the menu, the search and the themes.
func TestReference(t *testing.T) {
	if _, err := os.Stat("../../../../build/docs/reference"); err != nil {
		t.Skip("no reference in build/docs: make docs makes it where npm is installed")
	}
	s := open(t, "/docs/reference/", browsertest.Options{})
	s.WaitFor(`document.body.style.display !== "none" && document.querySelector(".container-main")`)
	s.Open(s.Origin + "/docs/reference/classes/deepemd.DeepEMD.html")
	s.WaitFor(`document.querySelector(".container-main")?.innerText.includes("classify")`)
	portraits(s, "docs-reference")
	s.Click("#tsd-search-trigger")
	s.Focus("#tsd-search-input")
	s.Keys("addExample")
	s.WaitFor(`document.querySelector("#tsd-search-results")?.innerText.includes("addExample")`)
	s.Quiet()
}
