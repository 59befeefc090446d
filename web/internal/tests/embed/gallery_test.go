//go:build !js

package embed_test

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/web/internal/studiotest"
)

// galleryTools are shared by the tests' scripts. Synthetic features need no network, so there can
// be many: made(i) is always the same.
const galleryTools = `
	const { DeepEMD } = await import("/deepemd/deepemd.js");
	const { openGallery, removeGallery } = await import("/deepemd/gallery.js");
	const NODES = 25, CHANNELS = 64;
	const made = (i) => {
		let seed = 2 * i + 1;
		const embedding = Float32Array.from({ length: NODES * CHANNELS }, () => {
			seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
			return seed / 2 ** 31 - 1;
		});
		return { name: "made " + i, source: { embedding } };
	};
	const many = function* (from, to) { for (let i = from; i < to; i++) yield made(i); };
	// So many that adding them takes as long as a test needs.
	const fillers = function* (count) { const { source } = made(-1); for (let i = 0; i < count; i++) yield { name: "filler " + i, source }; };
	const matcher = () => DeepEMD.matcher({ name: "made up", nodes: NODES, channels: CHANNELS });
	const refusal = (promise) => promise.then(() => ({ code: "" }), ({ code, message }) => ({ code, message }));
`

// tab is a page of the site whose scripts use the package.
type tab struct{ *studiotest.Studio }

// openTab opens a page of the built site in a new browser.
func openTab(t *testing.T, path string, opt browsertest.Options) *tab {
	t.Helper()
	pages := http.NewServeMux()
	site := studiotest.Site(t)
	pages.Handle("/", site)
	pages.HandleFunc("/without-files.js", func(w http.ResponseWriter, r *http.Request) {
		r.URL.Path = "/deepemd/gallery-worker.js"
		r.Header.Del("Accept-Encoding")
		script := httptest.NewRecorder()
		site.ServeHTTP(script, r)
		maps.Copy(w.Header(), script.Header())
		w.Header().Del("Content-Length")
		fmt.Fprint(w, "delete StorageManager.prototype.getDirectory;\n", script.Body)
	})
	server := httptest.NewServer(pages)
	t.Cleanup(server.Close)
	s := &tab{&studiotest.Studio{Browser: browsertest.Start(t, opt), T: t, Origin: server.URL}}
	s.Open(s.Origin + path)
	return s
}

// another opens the same page in another tab.
func (s *tab) another(path string) *tab {
	s.T.Helper()
	other := &tab{&studiotest.Studio{Browser: s.Tab(), T: s.T, Origin: s.Origin}}
	other.Open(s.Origin + path)
	return other
}

// plain is a page without own scripts.
const plain = "/examples/"

// does runs a script with the galleryTools in the page, and returns its result.
func does[T any](s *tab, script string, arguments ...any) T {
	s.T.Helper()
	return browsertest.Eval[T](s.Browser, "(async () => {"+galleryTools+fmt.Sprintf(script, arguments...)+"})()")
}

// failure is the error of a call.
type failure struct{ Code, Message string }
