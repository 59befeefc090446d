package webdriver

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
)

// TestBrowsers tests the common interface in each installed browser; see make test-browsers.
func TestBrowsers(t *testing.T) {
	if os.Getenv("DEEPEMD_BROWSERS") == "" {
		t.Skip("takes longer than a change should wait: make test-browsers")
	}
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Security-Policy", "default-src 'self'; script-src 'unsafe-inline'; img-src data:; connect-src *")
		w.Write([]byte(`<!DOCTYPE html><link rel="icon" href="data:,"><title>A page</title>
			<button id="late" onpointerdown="this.title = 'down'" onclick="this.title = 'clicked'">here</button>
			<input id="text" value="before" onchange="document.title = this.value">
			<input id="files" type="file" multiple>
			<a id="save" download="saved.txt">save</a>
			<script>save.href = URL.createObjectURL(new Blob(["contents"]))</script>`))
	}))
	t.Cleanup(site.Close)
	for _, kind := range []Kind{Chromium, Firefox, WebKit} {
		t.Run(kind.Name, func(t *testing.T) {
			p := Start(t, kind)
			t.Log(p.Version())
			p.Open(site.URL)
			if got := Eval[[]int](p, "Promise.resolve([1, 2])"); len(got) != 2 || got[1] != 2 {
				t.Errorf("a promise of [1, 2] is %v", got)
			}
			if err := p.eval("nobody.there", new(any)); err == nil {
				t.Error("an expression that throws gives no error")
			}
			letGo := p.Press("#late")
			p.WaitFor(`document.querySelector("#late").title === "down"`)
			letGo()
			p.WaitFor(`document.querySelector("#late").title === "clicked"`)
			p.Type("#text", "über")
			p.WaitFor(`document.title === "über"`)
			file := filepath.Join(t.TempDir(), "a.txt")
			require.NoError(t, os.WriteFile(file, []byte("text"), 0o600))
			p.Choose("#files", file, file)
			if got := Eval[[]string](p, `Promise.all(Array.from(document.querySelector("#files").files, (f) => f.text()))`); len(got) != 2 || got[0] != "text" {
				t.Errorf("the files that were chosen are %q", got)
			}
			p.Click("#save")
			if got, err := os.ReadFile(p.Saved(".txt")); err != nil || string(got) != "contents" {
				t.Errorf("the file that was saved has %q (%v)", got, err)
			}
			if said := p.Problems(); len(said) > 0 {
				t.Errorf("problems of a page without any: %q", said)
			}
			if tried := p.Outside(); len(tried) > 0 {
				t.Errorf("tried to reach %q", tried)
			}
			p.Run(`console.error("a problem"); fetch("http://outside.example/").catch(() => {})`)
			p.WaitFor(`new Promise((done) => setTimeout(done, 500, true))`)
			if said := p.Problems(); len(said) == 0 {
				t.Error("a problem is not noted")
			}
			if tried := p.Outside(); len(tried) != 1 || tried[0] != "outside.example" {
				t.Errorf("noted %q of what the page tried to reach, want outside.example", tried)
			}
		})
	}
}
