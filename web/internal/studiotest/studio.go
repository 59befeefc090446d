//go:build !js

// Package studiotest opens the built studio in a browser and does there what a
// person does, for the tests below web/internal/tests.
package studiotest

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/server"
	"github.com/deepemd/deepemd/internal/testsite"
)

// SiteFolder returns the folder of the built site.
func SiteFolder(t *testing.T) string {
	t.Helper()
	folder := require.Value(testsite.Site())(t)
	return folder
}

// Site returns a handler of the built site.
func Site(t *testing.T) http.Handler {
	t.Helper()
	handler := require.Value(server.New(os.DirFS(SiteFolder(t)), nil, false))(t)
	return handler
}

// Studio is the studio, opened in a browser of its own.
type Studio struct {
	*browsertest.Browser
	T      *testing.T
	Origin string // of the site, and its folder where that is not the top
}

// Open serves the site and opens the studio. The scripts run in the page before
// any of its own.
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

// Newcomer is a script for who has never been to the studio: the guide is there, and goes
// once two classes were taught, which moves what is below it. All others have read it.
const Newcomer = "/* has read nothing */"

// read has the page know, before it runs, that the guide was read.
const read = `try { localStorage.setItem("deepemd.guide", "done"); } catch { /* a page without storage */ }`

// Measuring is a script for a device that the studio measures, as it does on a first visit,
// and that gets the small network where it is slow. All others have the usual one, as
// somebody has who chose it: how busy a machine is must not decide which network a test sees.
const Measuring = "/* has no network of choice */"

// usual has the page know, before it runs, that the usual network was chosen, unless
// another was since.
const usual = `try { localStorage.getItem("deepemd.network") ?? localStorage.setItem("deepemd.network", "usual"); } catch { /* a page without storage */ }`

// OpenAt opens the studio of a site that is served already, at the given address.
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
		s.Do(func(ctx context.Context, target *chromedp.Target) (chromedp.Void, error) {
			_, err := cdp.Call(ctx, target, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: script})
			return chromedp.Void{}, err
		})
	}
	s.Visit()
	return s
}

// NewTab is another tab of the same browser, still empty.
func (s *Studio) NewTab() *Studio { return &Studio{s.Tab(), s.T, s.Origin} }

// Visit opens the studio in this tab.
func (s *Studio) Visit() {
	s.T.Helper()
	s.Open(s.Origin + "/")
	s.WaitFor(`document.querySelector(".studio:not([inert])")`, 30*time.Second)
}

// Revisit loads the page again, as a person who opens it again.
func (s *Studio) Revisit() {
	s.T.Helper()
	s.Visit()
	s.Ready()
	s.WaitFor(`document.querySelector("#kept:is(.saved, .unsaved)") && !document.querySelector("#kept").innerText.includes("Opening")`, 30*time.Second)
}

// Ready waits until the engine runs.
func (s *Studio) Ready() {
	s.T.Helper()
	s.WaitFor(`document.querySelector(".engine.ready")`, 30*time.Second)
}
