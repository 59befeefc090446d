//go:build !js

package share_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/internal/publish"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/server"
	"github.com/deepemd/deepemd/internal/testsite"
	"github.com/deepemd/deepemd/web/internal/studiotest"
)

func TestMain(m *testing.M) { testsite.Main(m) }

// localhost serves a handler at an address whose pages may use cameras; each call has a new origin.
func localhost(t *testing.T, handler http.Handler) string {
	t.Helper()
	s := httptest.NewServer(handler)
	t.Cleanup(s.Close)
	return strings.Replace(s.URL, "127.0.0.1", "localhost", 1)
}

// site serves the built site and a folder of pages, like deepemd serve.
func site(t *testing.T, pages string, embeddable bool) string {
	t.Helper()
	handler := require.Value(server.New(os.DirFS(studiotest.SiteFolder(t)), os.DirFS(pages), embeddable))(t)
	return localhost(t, handler)
}

// sharedPage writes a project's page into a folder.
func sharedPage(t *testing.T, path string, project []byte, parents ...string) {
	t.Helper()
	studiotest.SharedPage(t, path, publish.Contents{Language: "en", Parents: parents, Project: project})
}

// listening is a script that records messages to the page and their origins, in got.
const listening = `<script>
	const got = [];
	addEventListener("message", ({ source, origin, data }) => got.push({ origin, frame: [...document.querySelectorAll("iframe")].findIndex((f) => f.contentWindow === source), ...data }));
	const frame = () => document.querySelector("iframe").contentWindow;
	const reply = async (id) => {
		for (let wait = 0; wait < 1000; wait++) {
			const found = got.find((m) => m.id === id);
			if (found) return found;
			await new Promise((resolve) => setTimeout(resolve, 20));
		}
		throw new Error("no reply to " + id);
	};
</script>`

// other serves another site's page, with the given body and images of discs.
func other(t *testing.T, body string) string {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("/{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, "<!DOCTYPE html><title>Somebody's page</title><link rel=icon href=data:,>%s%s", listening, body)
	})
	mux.HandleFunc("/frame.html", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, "<!DOCTYPE html><title>Another frame</title>")
	})
	blue := studiotest.PictureFile(t, "blue.jpg", studiotest.Blue)
	mux.HandleFunc("/blue.jpg", func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, blue) })
	return localhost(t, mux)
}

// inFrame evaluates an expression in the first frame of the page. Frames of other ports of the same
// host are in the same process, which makes this possible.
func inFrame[T any](s *studiotest.Studio, expression string) (value T) {
	s.T.Helper()
	tree := browsertest.Call(s.Browser, page.GetFrameTree, cdp.Empty{})
	if len(tree.FrameTree.ChildFrames) == 0 {
		s.T.Fatal("the page has no frame")
	}
	world := browsertest.Call(s.Browser, page.CreateIsolatedWorld, page.CreateIsolatedWorldParams{FrameID: tree.FrameTree.ChildFrames[0].Frame.ID})
	result := browsertest.Call(s.Browser, runtime.Evaluate, runtime.EvaluateParams{
		Expression: expression, ContextID: world.ExecutionContextID, ReturnByValue: new(true), AwaitPromise: new(true),
	})
	if result.ExceptionDetails != nil {
		s.T.Fatalf("%s: %s", expression, result.ExceptionDetails.Text)
	}
	require.NoError(s.T, json.Unmarshal(result.Result.Value, &value))
	return value
}

// frameUntil waits until an expression is true in the first frame.
func frameUntil(s *studiotest.Studio, expression string) {
	s.T.Helper()
	browsertest.Until(s.T, "in the frame: "+expression, func() bool { return inFrame[bool](s, "Boolean("+expression+")") })
}

// ready is true when a shared page runs.
const ready = `document.querySelector(".status")?.innerText === "Ready"`

// clickInFrame presses a button in the first frame.
func clickInFrame(s *studiotest.Studio, selector string) {
	s.T.Helper()
	at := inFrame[[]float64](s, fmt.Sprintf(`(() => {
		const button = document.querySelector(%q);
		button.scrollIntoView({ block: "center" });
		const r = button.getBoundingClientRect();
		return [r.x + r.width / 2, r.y + r.height / 2];
	})()`, selector))
	s.Eval(`document.querySelector("iframe").scrollIntoView()`)
	offset := browsertest.Eval[[]float64](s.Browser, `(() => {
		const f = document.querySelector("iframe"), r = f.getBoundingClientRect();
		return [r.x + f.clientLeft, r.y + f.clientTop];
	})()`)
	s.Do(chromedp.MouseClickXY(at[0]+offset[0], at[1]+offset[1]))
}
