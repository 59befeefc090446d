package browsertest_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/deepemd/deepemd/internal/browsertest"
)

// page does everything that must be recorded.
const page = `<!DOCTYPE html><title>page</title><body><script>
console.error("written to the console");
setTimeout(() => { throw new Error("thrown"); });
const worker = new Worker(URL.createObjectURL(new Blob(
	['fetch("http://elsewhere.invalid/").catch(() => postMessage("refused"))'])));
worker.onmessage = (e) => { document.title = e.data; };
</script>`

func TestBrowserKeepsAccount(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, page)
	}))
	defer site.Close()

	b := browsertest.Start(t, browsertest.Options{})
	b.Open(site.URL + "/start")
	b.WaitFor(`document.title === "refused"`, 20*time.Second)

	if got := b.Outside(); !slices.Equal(got, []string{"elsewhere.invalid"}) {
		t.Errorf("outside: %q, want elsewhere.invalid", got)
	}
	if !slices.Contains(b.Requests(), site.URL+"/start") {
		t.Errorf("requests %q lack the page", b.Requests())
	}
	var texts []string
	for _, m := range b.Console() {
		texts = append(texts, m.Text)
	}
	for _, want := range []string{"written to the console", "thrown"} {
		if !strings.Contains(strings.Join(texts, "\n"), want) {
			t.Errorf("console %q lacks %q", texts, want)
		}
	}
	if got := browsertest.Eval[int](b, "Promise.resolve(6 * 7)"); got != 42 {
		t.Errorf("Eval gives %d, want 42", got)
	}
}
