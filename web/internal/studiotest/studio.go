//go:build !js

// Package studiotest opens the built studio in a browser and operates it like a user, for the tests
// below web/internal/tests.
package studiotest

import (
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"testing"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/server"
	"github.com/deepemd/deepemd/internal/testsite"
)

// SiteFolder returns the folder of the built site.
func SiteFolder(t *testing.T) string {
	t.Helper()
	return require.Value(testsite.Site())(t)
}

// Site returns a handler of the built site.
func Site(t *testing.T) http.Handler {
	t.Helper()
	return require.Value(server.New(os.DirFS(SiteFolder(t)), nil, false))(t)
}

// Studio is the studio, opened in a new browser.
type Studio struct {
	*browsertest.Browser
	T      *testing.T
	Origin string // of the site, and its folder where that is not the top
}

// Open serves the site and opens the studio. The scripts run before the page's own.
func Open(t *testing.T, opt browsertest.Options, scripts ...string) *Studio {
	t.Helper()
	return OpenSite(t, Site(t), opt, scripts...)
}

// OpenSite opens the studio of the given site.
func OpenSite(t *testing.T, handler http.Handler, opt browsertest.Options, scripts ...string) *Studio {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return OpenAt(t, server.URL, opt, scripts...)
}

// Newcomer is a script for a first visit: the guide is visible, and disappears once two classes
// have examples, which moves the classes. In all other tests the guide is closed.
const Newcomer = "/* has read nothing */"

// read marks the guide as closed before the page runs.
const read = `try { localStorage.setItem("deepemd.guide", "done"); } catch { /* a page without storage */ }`

// Measuring is a script for a device whose speed the studio measures, as on a first visit; if it is
// slow, the small network takes over. All other tests keep the usual network: the load of the
// machine must not choose the network of a test.
const Measuring = "/* has no network of choice */"

// usual marks the usual network as the user's choice before the page runs, unless another was
// chosen.
const usual = `try { localStorage.getItem("deepemd.network") ?? localStorage.setItem("deepemd.network", "usual"); } catch { /* a page without storage */ }`

// OpenAt opens the studio of a running server.
func OpenAt(t *testing.T, origin string, opt browsertest.Options, scripts ...string) *Studio {
	t.Helper()
	s := &Studio{browsertest.Start(t, opt), t, origin}
	if !slices.Contains(scripts, Newcomer) {
		scripts = append([]string{read}, scripts...)
	}
	if !slices.Contains(scripts, Measuring) {
		scripts = append([]string{usual}, scripts...)
	}
	for _, script := range scripts {
		s.RunFirst(script)
	}
	if s.Kind.Name == browsertest.WebKit.Name { // scripts run after loading: they set the storage here
		s.Open(origin + "/docs/")
	}
	s.Visit()
	return s
}

// NewTab opens an empty tab of the same browser.
func (s *Studio) NewTab() *Studio { return &Studio{s.Tab(), s.T, s.Origin} }

// Visit opens the studio in this tab.
func (s *Studio) Visit() {
	s.T.Helper()
	s.Open(s.Origin + "/")
	s.WaitFor(`document.querySelector(".studio:not([inert])")`)
}

// Revisit opens the page again.
func (s *Studio) Revisit() {
	s.T.Helper()
	s.Visit()
	s.Ready()
	s.WaitFor(`document.querySelector("#kept:is(.saved, .unsaved)") && !document.querySelector("#kept").innerText.includes("Opening")`)
}

// Ready waits until the engine is ready.
func (s *Studio) Ready() {
	s.T.Helper()
	s.WaitFor(`document.querySelector(".engine.ready")`)
}
