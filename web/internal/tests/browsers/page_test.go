//go:build !js

package browsers_test

import (
	"fmt"
	"net/http/httptest"
	"testing"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/internal/testsite"
	"github.com/deepemd/deepemd/web/internal/studiotest"
)

func TestMain(m *testing.M) { testsite.Main(m) }

// studio is the built site in one of the browsers, with a record of the server's requests.
type studio struct {
	*studiotest.Studio
	server *httptest.Server
	book   *studiotest.Account
}

// open serves the site and opens one of its pages.
func open(t *testing.T, kind browsertest.Kind, path string) *studio {
	t.Helper()
	book := &studiotest.Account{Site: studiotest.Site(t)}
	server := httptest.NewServer(book)
	t.Cleanup(server.Close)
	opt := browsertest.Options{Kind: kind, Flags: map[string]any{
		"use-fake-device-for-media-stream": true,
		"use-fake-ui-for-media-stream":     true,
	}}
	var s *studiotest.Studio
	if path == "/" {
		s = studiotest.OpenAt(t, server.URL, opt, studiotest.Spy)
		s.Ready()
	} else {
		s = studiotest.OpenPage(t, server.URL+path, opt)
	}
	s.Origin = server.URL
	t.Log(s.Version)
	return &studio{s, server, book}
}

// nothingLeft fails the test if a request could carry user data, or if the browser contacted
// another machine. Problems with one of the given texts are expected.
func (s *studio) nothingLeft(expected ...string) {
	s.T.Helper()
	asked, strange := s.book.Report()
	if asked < 10 || len(strange) > 0 {
		s.T.Errorf("of %d requests these could carry something: %q", asked, strange)
	}
	s.NoProblems(expected...)
}

// class is a class with its files.
type class struct {
	name  string
	files []string // nil if it already has examples
}

// teach names two classes and adds their examples.
func (s *studio) teach(classes []class) {
	s.T.Helper()
	for i, c := range classes {
		s.Name(i+1, c.name)
		if len(c.files) > 0 {
			s.Give(i+1, c.files...)
			s.WaitCount(studiotest.Card(i+1)+" .thumbnail", len(c.files))
		}
	}
	s.IsKept()
}

// ask shows the page a file, and waits for the caption.
func (s *studio) ask(file, caption string) {
	s.T.Helper()
	s.Upload("#test-picture", file)
	s.WaitFor(fmt.Sprintf(`document.querySelector(".caption")?.innerText.includes(%q)`, caption))
}

// kept opens a page again and fails the test unless it has its examples.
func (s *studio) kept(path string, classes []class) {
	s.T.Helper()
	s.IsKept()
	s.Open("about:blank") // changing only the fragment does not load the page
	s.Open(s.Origin + path)
	s.Ready()
	for i, c := range classes {
		s.WaitFor(fmt.Sprintf(`document.querySelector(%q)?.value === %q`, studiotest.Card(i+1)+" input.name", c.name))
		s.WaitCount(studiotest.Card(i+1)+" .thumbnail", len(c.files))
	}
	s.WaitFor(`document.querySelector("#kept:is(.saved, .unsaved)") && !document.querySelector("#kept").innerText.includes("Opening")`)
}
