//go:build !js

package keep_test

import (
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/internal/publish"
	"github.com/deepemd/deepemd/web/internal/studiotest"
)

// A shared page runs from disk, without a server, and its worker restarts. With a camera it answers
// live; without one, it names the remedy.
func TestSharedPage(t *testing.T) {
	path := studiotest.SharedPage(t, "", publish.Contents{Project: studiotest.Discs(t, method.Default())})
	page := studiotest.OpenPage(t, "file://"+path, browsertest.Options{Camera: studiotest.PlainFilm(t)})
	page.WaitFor(`document.querySelector(".status").innerText === "Ready"`)
	const ask = `(async () => {
		const data = Uint8Array.from({ length: 3 * 90 * 90 }, (_, i) => (i * 7 + (i % 3) * 90) & 255);
		const { scores } = await engine.classify({ width: 90, height: 90, data });
		return scores.sort((a, b) => (a.id < b.id ? -1 : 1)).map((s) => s.score);
	})()`
	want := browsertest.Eval[[]float64](page.Browser, ask)
	page.Shot("shared")
	again := browsertest.Eval[[]float64](page.Browser, `(async () => {
		const restarted = new Promise((resolve) => engine.addEventListener("restart", resolve, { once: true }));
		engine[Symbol.for("deepemd.crash")]("panic").catch(() => {});
		await restarted;
		return `+ask+`;
	})()`)
	if !same(want, again, 1e-4) {
		t.Errorf("scores %v, after a crash %v", want, again)
	}
	page.Click("#camera")
	page.WaitFor(`document.querySelector("video:not([hidden])")?.videoWidth > 0 && document.querySelector(".caption:not([hidden])")`)
	page.Click("#camera")
	page.Eval(`Object.defineProperty(navigator, "mediaDevices", { value: undefined })`)
	page.Click("#camera")
	page.WaitFor(`document.querySelector(".note:not(:empty)")?.innerText.includes("drop or choose pictures")`)
	page.Shot("shared-no-camera")
	for _, address := range page.Requests() {
		if !strings.HasPrefix(address, "file:///") && !strings.HasPrefix(address, "blob:") && !strings.HasPrefix(address, "data:") {
			t.Errorf("the page asked for %s", address)
		}
	}
	page.NoProblems()
}
