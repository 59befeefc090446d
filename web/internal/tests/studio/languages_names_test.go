//go:build !js

package studio_test

import (
	"archive/zip"
	"fmt"
	"image/color"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/web/internal/studiotest"
	"github.com/deepemd/deepemd/web/internal/texts"
)

// things are unusual names: of maximum length without a space, right to left with a part in the
// other direction, and of signs of several characters.
var things = []struct {
	name, direction string
	color           color.RGBA
}{
	{"Donaudampfschifffahrtsgesellschaftskapitänswitwenrentenkasse", "ltr", studiotest.Red},
	{"كوب القهوة (2 large)", "rtl", studiotest.Blue},
	{"תפוח ירוק", "rtl", studiotest.Green},
	{"👩‍👩‍👧‍👦🇲🇽👍🏽", "ltr", color.RGBA{240, 220, 40, 255}},
}

// fitsWidths checks the layout at the widths of a phone and a desktop.
func fitsWidths(s *studiotest.Studio, name string) {
	s.T.Helper()
	for _, width := range []int{390, 1280} {
		s.Window(width, 900)
		(&studio{s}).fits(fmt.Sprintf("%s at %d px", name, width))
		s.Shot(fmt.Sprintf("%s-%d", name, width))
	}
}

// directions returns the directions of the elements with the names.
func directions(s *studiotest.Studio, root, names string) {
	s.T.Helper()
	for _, thing := range things {
		for _, got := range browsertest.Eval[[]string](s.Browser, fmt.Sprintf(`[...%s.querySelectorAll(%q)].filter((e) => (e.value ?? e.textContent) === %q).map((e) => getComputedStyle(e).direction)`, root, names, thing.name)) {
			if got != thing.direction {
				s.T.Errorf("%q of %s runs %s", thing.name, names, got)
			}
		}
	}
}

// unfold opens the panels below the classes.
func unfold(s *studiotest.Studio) {
	s.T.Helper()
	for _, panel := range []string{"why", "improve", "then"} {
		s.Eval(fmt.Sprintf(`(() => { const e = document.querySelector("#show-%s"); if (e.getAttribute("aria-expanded") !== "true") e.click(); })()`, panel))
	}
}

// Unusual names fit everywhere, keep their direction, and do not reorder sentences; also in files,
// shared pages and elements.
func TestNamesOfAllKinds(t *testing.T) {
	words := texts.In("en")
	s := studiotest.OpenSite(t, site(t, map[string]string{"/element.html": `<!DOCTYPE html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Element</title><link rel="icon" href="data:,">
<script type="module" src="/deepemd/element.js"></script><deep-emd camera></deep-emd>`}), browsertest.Options{Width: 1280, Height: 900})
	s.Ready()
	for i, thing := range things {
		if i >= 2 {
			s.Click("#add-class")
			s.WaitCount(".cards .card", i+1)
		}
		s.Eval(fmt.Sprintf(`(() => { const field = document.querySelector(%q); field.value = %q; field.dispatchEvent(new Event("change", { bubbles: true })); })()`, studiotest.Card(i+1)+" input.name", thing.name))
		// The last class has the same examples as the first two, so that they are confused.
		extra := []color.RGBA{thing.color}
		if i == len(things)-1 {
			extra = append(extra, things[0].color, things[1].color)
		}
		for k, c := range extra {
			c.R ^= 3
			s.Drop(studiotest.Card(i+1), studiotest.PictureFile(t, fmt.Sprintf("%d-%d.jpg", i, k), c))
		}
		s.Drop(studiotest.Card(i+1), studiotest.PictureFile(t, "again.jpg", thing.color))
	}
	s.WaitCount(".thumbnail", 10)
	s.Drop(".view", studiotest.PictureFile(t, "test.jpg", things[1].color))
	unfold(s)
	s.WaitFor(`document.querySelectorAll(".matrix tbody tr").length === 4 && document.querySelectorAll(".rule .thing .name").length >= 4 && document.querySelectorAll(".bar:not(.unknown)").length === 4`)
	s.WaitFor(`document.querySelector(".matrix .wrong button")`)
	s.Click(".matrix .wrong button")
	s.WaitFor(`document.querySelector(".picked li")`)
	const names = ".card input.name, .bar .name, .caption span:first-child, .matrix .label, .rule .thing .name, .strip .name, .compare .name, .pulls .ahead, .pulls .rival, .project .title, .picked h3, .why h2"
	directions(s, "document", names)

	said := browsertest.Eval[string](s.Browser, `document.querySelector("#why-title").textContent`)
	if !slices.ContainsFunc(things, func(thing struct {
		name, direction string
		color           color.RGBA
	}) bool {
		return said == words.Why.TitleOf(thing.name)
	}) {
		t.Errorf("the question is %q", said)
	}
	for _, thing := range things {
		apart := strings.Contains(words.Why.TitleOf(thing.name), "\u2068"+thing.name+"\u2069")
		if apart != (thing.direction == "rtl") {
			t.Errorf("%q: set apart: %v", words.Why.TitleOf(thing.name), apart)
		}
		label := browsertest.Eval[string](s.Browser, fmt.Sprintf(`[...document.querySelectorAll(".card")].find((c) => c.querySelector("input.name").value === %q).querySelector("ul").getAttribute("aria-label") ?? ""`, thing.name))
		if label != "" && label != words.Class.Examples(thing.name) {
			t.Errorf("a list is called %q, want %q", label, words.Class.Examples(thing.name))
		}
	}
	s.Click("#closer")
	s.WaitFor(`document.querySelector(".closer[open] .compare .name, dialog[open] .compare .name")`)
	fitsWidths(s, "closer-names")
	directions(s, "document", ".compare .name")
	s.Eval(`document.querySelector("dialog[open]").close()`)

	s.IsKept()
	s.OpenDialog("#open-projects", "#projects")
	s.WaitFor(`document.querySelector("#projects[open] #save-folders[aria-disabled=false]")`)
	s.Click("#save-folders")
	archive := require.Value(zip.OpenReader(s.Saved(".zip")))(t)
	defer archive.Close()
	var folders []string
	for _, f := range archive.File {
		folders = append(folders, path.Dir(f.Name))
	}
	for _, thing := range things {
		if !slices.ContainsFunc(folders, func(folder string) bool { return path.Base(folder) == thing.name }) {
			t.Errorf("the zip has folders %q, none for %q", slices.Compact(folders), thing.name)
		}
	}
	s.WaitFor(`document.querySelector("#projects #save-file[aria-disabled=false]")`)
	s.Click("#save-file")
	s.Saved(".deepemd")
	s.WaitFor(`document.querySelector("#projects #share-page[aria-disabled=false]")`)
	s.Click("#share-page")
	shared := s.Saved(".html")
	project := s.Saved(".deepemd")
	s.Quiet()

	page := s.NewTab()
	page.Open("file://" + shared)
	page.WaitFor(`document.querySelector(".status").innerText === "Ready"`)
	page.Upload("#picture", studiotest.PictureFile(t, "d.jpg", things[0].color))
	page.WaitFor(`document.querySelector(".caption:not([hidden]) .name")`)
	fitsWidths(page, "shared-names")
	directions(page, "document", ".class .name, .caption .name")
	page.NoProblems()

	page.Open(s.Origin + "/element.html")
	page.Eval(`document.body.append(Object.assign(document.createElement("input"), { type: "file", id: "file" }))`)
	page.Upload("#file", project)
	page.Eval(`document.querySelector("deep-emd").project = document.querySelector("#file").files[0]`)
	page.WaitFor(`document.querySelector("deep-emd").shadowRoot?.querySelectorAll(".row").length === 4`)
	page.Upload("#file", studiotest.PictureFile(t, "d.jpg", things[1].color))
	page.Eval(`document.querySelector("deep-emd").classify(document.querySelector("#file").files[0])`)
	page.WaitFor(`document.querySelector("deep-emd").shadowRoot.querySelector(".row .percent").innerText !== ""`)
	page.Eval(`document.querySelector("#file").remove()`)
	fitsWidths(page, "element-names")
	directions(page, `document.querySelector("deep-emd").shadowRoot`, ".row .label, .name")
	page.NoProblems()
}
