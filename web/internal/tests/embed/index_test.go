//go:build !js

package embed_test

import (
	"testing"

	"github.com/deepemd/deepemd/internal/browsertest"
)

// The index of the examples has an image and a line for each, and all links work.
func TestIndex(t *testing.T) {
	s := open(t, "/examples/", browsertest.Options{})
	cards := s.Count(".gallery > li")
	if cards < 4 || s.Count(".gallery svg") != cards || s.Count(".gallery p") != cards {
		t.Errorf("%d examples, %d pictures, %d lines", cards, s.Count(".gallery svg"), s.Count(".gallery p"))
	}
	broken := browsertest.Eval[[]string](s.Browser, `(async () => {
		const broken = [];
		for (const { href } of document.links) {
			const answer = await fetch(href);
			const page = await answer.text(), anchor = new URL(href).hash.slice(1);
			if (!answer.ok || (anchor && !page.includes('id="' + anchor + '"'))) broken.push(href);
		}
		return broken;
	})()`)
	for _, link := range broken {
		t.Errorf("%s leads nowhere", link)
	}
	portraits(s, "index")
	if len(broken) == 0 {
		s.Quiet()
	}
}
