//go:build !js

package keep_test

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/web/internal/studiotest"
)

// slowly serves the site like a slow line: the weights arrive in parts.
func slowly(whole http.Handler) http.Handler {
	const pieces, pause = 20, 60 * time.Millisecond
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.URL.Path, "/weights/") {
			whole.ServeHTTP(w, r)
			return
		}
		all := httptest.NewRecorder()
		whole.ServeHTTP(all, r)
		for name, values := range all.Header() {
			w.Header()[name] = values
		}
		w.WriteHeader(all.Code)
		body := all.Body.Bytes()
		for piece := range slices.Chunk(body, len(body)/pieces+1) {
			if _, err := w.Write(piece); err != nil {
				return
			}
			w.(http.Flusher).Flush()
			time.Sleep(pause)
		}
	})
}

// While the network loads, the page shows the progress and is usable: the camera starts, classes
// can be named.
func TestLoadingShowsProgress(t *testing.T) {
	s := openSite(t, slowly(studiotest.Site(t)), browsertest.Options{Camera: studiotest.PlainFilm(t)}, `
		globalThis.seen = [];
		new MutationObserver(() => {
			const bar = document.querySelector(".engine .fill");
			if (bar) seen.push(Number(bar.ariaValueNow));
		}).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });`)
	s.WaitFor(`seen.some((value) => value > 0.5)`)
	s.Window(390, 844)
	const header = `document.querySelector(".top").offsetHeight`
	before := browsertest.Eval[int](s.Browser, header)
	s.Shot("loading")
	s.Click("#start")
	s.Name(1, "cup")
	s.Ready()
	if after := browsertest.Eval[int](s.Browser, header); after != before {
		t.Errorf("on a phone the header had %d px while the network loaded, and then %d", before, after)
	}
	seen := browsertest.Eval[[]float64](s.Browser, "[...new Set(seen)]")
	if !slices.IsSorted(seen) || len(seen) < 4 || seen[len(seen)-1] < 0.9 {
		t.Errorf("the bar showed %v, want it to fill up step by step", seen)
	}
	s.WaitFor(`document.querySelector("#cameras")`)
	if got := browsertest.Eval[string](s.Browser, `document.querySelector("input.name").value`); got != "cup" {
		t.Errorf("the class is called %q after loading, want cup", got)
	}
	s.Quiet()
}

// A module that is lost on its way is a matter of the connection, and the next click loads it.
func TestLostModule(t *testing.T) {
	whole := studiotest.Site(t)
	var lost atomic.Bool
	s := openSite(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/deepemd/framing.js" && !lost.Swap(true) {
			http.Error(w, "lost", http.StatusBadGateway)
			return
		}
		whole.ServeHTTP(w, r)
	}), browsertest.Options{Camera: studiotest.PlainFilm(t)}, `Object.defineProperty(navigator, "serviceWorker", { value: undefined })`)
	s.Ready()
	s.Click("#start")
	s.WaitFor(`document.querySelector(".invitation.problem")?.innerText.includes("Check the connection")`)
	s.StartCamera()
}
