//go:build !js

package keep_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/web/internal/studiotest"
)

// A shared page runs from disk, without a server, and gives the studio's scores for the same pixels
// and for the same file. Background examples work there too, and are not a class.
func TestSharedPage(t *testing.T) {
	s := open(t, browsertest.Options{Camera: studiotest.PlainFilm(t)})
	s.Ready()
	s.teach()
	s.WaitFor(`document.querySelector("#look-for-unknown")`)
	s.Click("#look-for-unknown") // so that only the background rejects
	green := studiotest.PictureFile(t, "green.jpg", studiotest.Green)
	s.Drop(studiotest.NothingCard, green)
	s.WaitCount(studiotest.NothingCard+" .thumbnail", 1)
	s.IsKept()
	want := s.exact()
	const verdict = `e.classify({ width: 90, height: 90, data: new Uint8Array(3 * 90 * 90).fill(120) }).then(({ unknown: u }) => [Number(u.unknown), Number(u.nothing !== undefined), u.score])`
	said := browsertest.Eval[[]float64](s.Browser, "studio.engine.then((e) => "+verdict+")")
	test := studiotest.PictureFile(t, "test.jpg", studiotest.Blue)
	s.Upload("#test-picture", test)
	const bars = `[...document.querySelectorAll(".fill[aria-valuenow]")].map((b) => Number(b.getAttribute("aria-valuenow")))`
	s.WaitFor(`document.querySelector(".caption")?.innerText.includes("blue disc")`)
	shown := browsertest.Eval[[]float64](s.Browser, `[...document.querySelectorAll(".bars .fill")].map((b) => Number(b.getAttribute("aria-valuenow")))`)
	s.projects()
	s.Click("#share-page")
	file := s.Saved(".html")
	facts := require.Value(os.Stat(file))(t)

	page := s.tab()
	page.Open("file://" + file)
	page.WaitFor(`document.querySelector(".status").innerText === "Ready"`)
	got := browsertest.Eval[[]float64](page.Browser, `(async () => {
		const data = Uint8Array.from({ length: 3 * 90 * 90 }, (_, i) => (i * 7 + (i % 3) * 90) & 255);
		const { scores } = await engine.classify({ width: 90, height: 90, data });
		return scores.sort((a, b) => (a.id < b.id ? -1 : 1)).map((s) => s.score);
	})()`)
	if !same(want, got, 1e-4) {
		t.Errorf("scores %v, of the shared page %v", want, got)
	}
	page.Upload("#picture", test)
	page.WaitFor(`document.querySelector(".caption:not([hidden])")?.innerText.includes("blue disc")`)
	if got := browsertest.Eval[[]float64](page.Browser, bars); !same(shown, got, 1e-4) {
		t.Errorf("the studio shows %v, the shared page %v", shown, got)
	}
	page.Shot("shared")
	if got := browsertest.Eval[[]float64](page.Browser, "Promise.resolve(engine).then((e) => "+verdict+")"); !same(said, got, 1e-3) {
		t.Errorf("of nothing the studio says %v, the shared page %v", said, got)
	}
	if got := browsertest.Eval[string](page.Browser, `JSON.stringify([engine.method.strangers.name, engine.classes.map((c) => c.nothing)])`); got != "[false,[false,false,true]]" {
		t.Errorf("strangers are named, classes are of nothing: %s", got)
	}
	if os.Getenv("DEEPEMD_SCREENSHOTS") != "" {
		page.Window(390, 844)
		page.Shot("shared-phone")
		page.Window(1280, 800)
	}
	if got := browsertest.Eval[string](page.Browser, `document.title + " / " + [...document.querySelectorAll(".class .name")].map((n) => n.innerText).join(", ")`); got != "Project 1 / red disc, blue disc" {
		t.Errorf("the page shows %q", got)
	}
	// The worker restarts there too.
	again := browsertest.Eval[[]float64](page.Browser, `(async () => {
		const restarted = new Promise((resolve) => engine.addEventListener("restart", resolve, { once: true }));
		engine[Symbol.for("deepemd.crash")]("panic").catch(() => {});
		await restarted;
		const data = Uint8Array.from({ length: 3 * 90 * 90 }, (_, i) => (i * 7 + (i % 3) * 90) & 255);
		const { scores } = await engine.classify({ width: 90, height: 90, data });
		return scores.sort((a, b) => (a.id < b.id ? -1 : 1)).map((s) => s.score);
	})()`)
	if !same(want, again, 1e-4) {
		t.Errorf("scores %v, after a crash %v", want, again)
	}
	// With a camera, or without: then it names the remedy.
	page.Click("#camera")
	page.WaitFor(`document.querySelector("video:not([hidden])")?.videoWidth > 0 && document.querySelector(".caption:not([hidden])")`)
	page.Click("#camera")
	page.Eval(`Object.defineProperty(navigator, "mediaDevices", { value: undefined })`)
	page.Click("#camera")
	page.WaitFor(`document.querySelector(".note:not([hidden])")?.innerText.includes("drop or choose pictures")`)
	page.Shot("shared-no-camera")
	for _, address := range page.Requests() {
		if !strings.HasPrefix(address, "file:///") && !strings.HasPrefix(address, "blob:") && !strings.HasPrefix(address, "data:") {
			t.Errorf("the page asked for %s", address)
		}
	}
	page.NoProblems()
	t.Logf("%s: %.2f MB", filepath.Base(file), float64(facts.Size())/1e6)
	s.Quiet()
}
