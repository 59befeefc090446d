package browsertest

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/deepemd/deepemd/internal/require"
)

// testPage contains everything that the tests operate, and a worker that tries to leave the machine.
const testPage = `<!DOCTYPE html><link rel="icon" href="data:,"><title>A page</title>
<button id="late" onpointerdown="this.title = 'down'" onclick="this.title = 'clicked'">here</button>
<input id="text" value="before" onchange="document.title = this.value">
<input id="files" type="file" multiple>
<a id="save" download="saved.txt">save</a>
<script>
save.href = URL.createObjectURL(new Blob(["contents"]));
function leave() {
	console.error("written to the console");
	setTimeout(() => { throw new Error("thrown"); });
	const code = 'fetch("http://outside.example/").catch(() => postMessage("refused"))';
	new Worker(URL.createObjectURL(new Blob([code]))).onmessage = ({ data }) => (document.title = data);
}
</script>`

// The common methods work in each browser.
func TestPage(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Security-Policy", "default-src 'self'; script-src 'unsafe-inline'; worker-src blob:; img-src data:; connect-src *")
		w.Write([]byte(testPage))
	}))
	t.Cleanup(site.Close)
	InEach(t, func(t *testing.T, kind Kind) {
		b := Start(t, Options{Kind: kind})
		t.Log(b.Version)
		b.RunFirst("globalThis.before = 1;")
		b.Open(site.URL)
		if got := Eval[[]int](b, "Promise.resolve([before, 2])"); !slices.Equal(got, []int{1, 2}) {
			t.Errorf("a promise of [1, 2] is %v", got)
		}
		for _, wrong := range []string{"nobody.there", "undefined"} {
			if _, err := evaluate[int](b, wrong, patience); err == nil {
				t.Errorf("%s gives no error", wrong)
			}
		}
		release := b.Press("#late")
		b.WaitFor(`document.querySelector("#late").title === "down"`)
		release()
		b.WaitFor(`document.querySelector("#late").title === "clicked"`)
		b.Type("#text", "über")
		b.WaitFor(`document.title === "über"`)
		file := filepath.Join(t.TempDir(), "a.txt")
		require.NoError(t, os.WriteFile(file, []byte("text"), 0o600))
		b.Upload("#files", file, file)
		if got := Eval[[]string](b, `Promise.all(Array.from(document.querySelector("#files").files, (f) => f.text()))`); !slices.Equal(got, []string{"text", "text"}) {
			t.Errorf("the files that were chosen are %q", got)
		}
		b.Click("#save")
		if got, err := os.ReadFile(b.Saved(".txt")); err != nil || string(got) != "contents" {
			t.Errorf("the file that was saved has %q (%v)", got, err)
		}
		b.NoProblems()
		b.NoWarnings()
		b.Eval("leave()")
		b.WaitFor(`document.title === "refused"`)
		if got := b.Outside(); !slices.Equal(got, []string{"outside.example"}) {
			t.Errorf("tried to reach %q, want outside.example", got)
		}
		var said []string
		for _, m := range b.Console() {
			if m.Level == LevelError {
				said = append(said, m.Text)
			}
		}
		for _, want := range []string{"written to the console", "thrown"} {
			if !strings.Contains(strings.Join(said, "\n"), want) {
				t.Errorf("errors %q lack %q", said, want)
			}
		}
	})
}

// An evaluation that gets no answer ends with an error, and a condition is evaluated again.
func TestAnswerThatIsMissing(t *testing.T) {
	b := Start(t, Options{})
	b.Open("data:text/html,<title>a page</title>")
	if _, err := evaluate[bool](b, "new Promise(() => {})", time.Second); err == nil || !strings.Contains(err.Error(), "no answer in 1s") {
		t.Errorf("error %v", err)
	}
	b.WaitFor(`globalThis.asked ? true : (globalThis.asked = true, new Promise(() => {}))`)
}
