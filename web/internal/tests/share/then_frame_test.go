//go:build !js

package share_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/web/internal/studiotest"
)

// around is a page with the studio in a frame, which records its messages. It asks for more whenever it
// is greeted, as in web/docs/frame.md.
const around = `<!DOCTYPE html><html lang="en"><title>Around</title><link rel="icon" href="data:,"><div class="studio">
<iframe src="/" width="1200" height="700"></iframe></div>
<script>
const got = [];
addEventListener("message", ({ source, origin, data }) => {
	if (source !== document.querySelector("iframe").contentWindow) return;
	got.push(data);
	if (data.type === "deepemd:ready") source.postMessage({ type: "deepemd:listen" }, origin);
});
const frame = (selector) => document.querySelector("iframe").contentDocument.querySelector(selector);
async function drop(selector, color) {
	const { contentWindow: page } = document.querySelector("iframe");
	const canvas = Object.assign(document.createElement("canvas"), { width: 100, height: 100 });
	const context = canvas.getContext("2d");
	context.fillStyle = color;
	context.fillRect(20, 20, 60, 60);
	const blob = await new Promise((resolve) => canvas.toBlob(resolve));
	const dataTransfer = new page.DataTransfer();
	dataTransfer.items.add(new page.File([blob], color + ".png", { type: "image/png" }));
	frame(selector).dispatchEvent(new page.DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
}
</script></html>`

// The embedding page gets messages once a rule sends them and the page has asked.
func TestThePageAroundIsTold(t *testing.T) {
	site := studiotest.Site(t)
	s := openSite(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/around") {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = w.Write([]byte(around))
			return
		}
		site.ServeHTTP(w, r)
	}), browsertest.Options{})
	s.Open(s.Origin + "/around.html")
	s.WaitFor(`frame(".engine.ready")`)
	s.Eval(`for (let i = 0; i < 3; i++) { drop(".cards .card:nth-of-type(1)", "red"); drop(".cards .card:nth-of-type(2)", "blue"); }`)
	s.WaitFor(`document.querySelector("iframe").contentDocument.querySelectorAll(".thumbnail").length === 6 && frame("#show-then")`)
	s.Eval(`frame("#show-then").click()`)
	s.WaitFor(`frame(".rule .send")`)
	// The picture on the stage is not Class 1, which a slow machine would report late.
	s.Eval(`drop(".view", "blue")`)
	s.WaitFor(`frame(".caption")?.innerText.includes("Class 2")`)
	if n := browsertest.Eval[int](s.Browser, `got.length`); n != 0 {
		t.Errorf("%d messages, and nobody asked for one", n)
	}
	s.Eval(`frame(".rule .send").click(); frame(".rule .count").click()`)
	s.WaitFor(`got.length === 2`)
	if got, want := browsertest.Eval[string](s.Browser, `JSON.stringify(got[1])`),
		`{"type":"deepemd:ready","version":1,"classes":[{"id":"class-1","label":"Class 1"},{"id":"class-2","label":"Class 2"}]}`; got != want {
		t.Errorf("the greeting is %s, want %s", got, want)
	}
	s.Eval(`drop(".view", "red")`)
	s.WaitFor(`got.length === 3`)
	if got, want := browsertest.Eval[string](s.Browser, `JSON.stringify(got[2])`),
		`{"type":"deepemd:seen","class":{"id":"class-1","label":"Class 1"},"unknown":false,"nothing":false,"count":1}`; got != want {
		t.Errorf("told %s, want %s", got, want)
	}
	s.Quiet()
}
