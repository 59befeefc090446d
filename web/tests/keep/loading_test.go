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

// pieces is the number of parts in which the weights come.
const pieces = 6

// slowly hands a site out as a slow line does: the weights come in pieces, the next one when
// the test asks for it. The service worker, which fetches them later, gets them at once.
func slowly(whole http.Handler, next <-chan bool) http.Handler {
	var begun atomic.Bool
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.URL.Path, "/weights/resnet12-s.") || begun.Swap(true) {
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
			select {
			case <-next:
			case <-r.Context().Done(): // the page was closed
				return
			}
		}
	})
}

// While the network is on its way the page says how far it is, and can be used:
// the camera starts, classes are named.
func TestLoadingShowsProgress(t *testing.T) {
	next := make(chan bool)
	s := openSite(t, slowly(studiotest.Site(t), next), browsertest.Options{Camera: studiotest.PlainFilm(t)}, `
		globalThis.seen = [];
		new MutationObserver(() => {
			const bar = document.getElementById("loading-fill");
			if (bar) seen.push(Number(bar.ariaValueNow));
		}).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });`)
	for range pieces - 2 {
		s.Eval(`globalThis.before = Number(document.getElementById("loading-fill")?.ariaValueNow ?? 0)`)
		next <- true
		s.WaitFor(`document.getElementById("loading-fill")?.ariaValueNow > before`, 20*time.Second)
	}
	s.WaitFor(`/, \d+%/.test(document.getElementById("loading-text")?.innerText)`, 20*time.Second)
	s.Shot("loading")
	s.Click("#start")
	s.Name(1, "cup")
	close(next)
	s.Ready()
	seen := browsertest.Eval[[]float64](s.Browser, "[...new Set(seen)]")
	if !slices.IsSorted(seen) || len(seen) < 4 || seen[len(seen)-1] < 0.9 {
		t.Errorf("the bar showed %v, want it to fill up step by step", seen)
	}
	s.WaitFor(`document.querySelector("#cameras")`, 20*time.Second)
	if got := browsertest.Eval[string](s.Browser, `document.querySelector("input.name").value`); got != "cup" {
		t.Errorf("the class is called %q after loading, want cup", got)
	}
	s.Quiet()
}
