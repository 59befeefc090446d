//go:build !js

package embed_test

import (
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/internal/languages"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/web/internal/lessons"
	"github.com/deepemd/deepemd/web/internal/studiotest"
)

// papers are paper sizes in inches.
var papers = map[string]struct{ width, height float64 }{
	"A4":     {8.27, 11.69},
	"Letter": {8.5, 11},
}

// The margins of the notes' style sheet in inches.
const marginX, marginY float64 = 15 / 25.4, 12 / 25.4

// pdfPage matches a page in a PDF of Chromium, which does not compress it.
var pdfPage = regexp.MustCompile(`/Type\s*/Page\b`)

// The notes of every lesson and language print on exactly two pages of A4 and Letter. Each half
// fits its page without clipped text, and on a phone nothing is wider than the screen.
func TestNotesPrintOnTwoPages(t *testing.T) {
	server := httptest.NewServer(studiotest.Site(t))
	t.Cleanup(server.Close)
	s := &studio{Studio: &studiotest.Studio{Browser: browsertest.Start(t, browsertest.Options{}), T: t, Origin: server.URL}}
	for _, lesson := range lessons.All {
		for _, language := range languages.Codes(languages.Files) {
			name := lesson.ID + "." + language
			s.Open(s.Origin + "/lessons/" + name + ".html")
			s.WaitFor(`document.readyState === "complete" && Array.from(document.images).every((i) => i.complete && i.naturalWidth > 0)`)
			for paper, size := range papers {
				s.print(name, paper, size.width, size.height)
			}
			s.Window(360, 740)
			if w := browsertest.Eval[int](s.Browser, "document.documentElement.scrollWidth"); w > 360 {
				t.Errorf("%s is %d px wide on a phone of 360", name, w)
			}
			s.Window(1280, 800)
		}
	}
	s.Axe("notes", "empty-table-header") // the pupils fill in the tables
	if missing := browsertest.Eval[[]string](s.Browser, `fetch("../sw.js").then((r) => r.text()).then((text) =>
		["lessons/words.es.html", "lessons/notes.css", "lessons/characters.png", "web/characters/characters.png", "web/pad.js"].filter((name) => !text.includes(name)))`); len(missing) > 0 {
		t.Errorf("without a network there is no %q", missing)
	}
	s.Shot("notes-screen")
	s.Quiet()
}

// print checks the open notes on a paper size.
func (s *studio) print(name, paper string, width, height float64) {
	s.T.Helper()
	pdf := browsertest.Call(s.Browser, page.PrintToPDF, page.PrintToPDFParams{
		PaperWidth: width, PaperHeight: height,
		MarginLeft: new(marginX), MarginRight: new(marginX), MarginTop: new(marginY), MarginBottom: new(marginY),
	}).Data
	if dir := os.Getenv("DEEPEMD_SCREENSHOTS"); dir != "" {
		require.NoError(s.T, os.WriteFile(filepath.Join(dir, name+"."+paper+".pdf"), pdf, 0o644))
	}
	if n := len(pdfPage.FindAll(pdf, -1)); n != 2 {
		s.T.Errorf("%s has %d pages of %s, want 2", name, n, paper)
	}

	// in print style, at the width between the margins
	const dots = 96
	s.media("print")
	s.Window(int(dots*(width-2*marginX)), 800)
	for _, problem := range browsertest.Eval[[]string](s.Browser, fmt.Sprintf(`(() => {
		const found = [];
		for (const [i, sheet] of document.querySelectorAll(".sheet").entries()) {
			const box = sheet.getBoundingClientRect();
			if (box.height > %f) found.push("page " + (i + 1) + " is " + Math.round(box.height) + " px high, the paper %d");
			for (const e of sheet.querySelectorAll("*")) {
				const { left, right } = e.getBoundingClientRect();
				if (left < box.left - 1 || right > box.right + 1) found.push(e.outerHTML.slice(0, 90) + " leaves the page");
				if (e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 0 && getComputedStyle(e).display !== "inline") found.push(e.outerHTML.slice(0, 90) + " is cut off");
			}
		}
		return found;
	})()`, dots*(height-2*marginY), int(dots*(height-2*marginY)))) {
		s.T.Errorf("%s, %s: %s", name, paper, problem)
	}
	if dir := os.Getenv("DEEPEMD_SCREENSHOTS"); dir != "" && paper == "A4" {
		s.Window(int(dots*(width-2*marginX)), int(2*dots*height))
		s.Shot("notes-" + name)
	}
	s.media("")
	s.Window(1280, 800)
}

// media styles the page for print or screen.
func (s *studio) media(name string) {
	browsertest.Call(s.Browser, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: name})
}
