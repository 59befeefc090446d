//go:build !js

package share_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/web/internal/studiotest"
)

// A broken picture or a blocked camera leaves the page unchanged. Of several pictures, the page shows
// the first, with a notice.
func TestPageKeepsItsAnswer(t *testing.T) {
	folder := t.TempDir()
	sharedPage(t, filepath.Join(folder, "discs.html"), studiotest.Discs(t, method.Default()))
	s := studiotest.OpenPage(t, site(t, folder, false)+"/pages/discs.html", browsertest.Options{Camera: studiotest.PlainFilm(t)})
	s.WaitFor(ready)
	blue, red := studiotest.PictureFile(t, "blue.jpg", studiotest.Blue), studiotest.PictureFile(t, "red.jpg", studiotest.Red)
	const caption = `(document.querySelector(".caption:not([hidden])")?.innerText ?? "")`
	says := func(text string) {
		t.Helper()
		s.WaitFor(fmt.Sprintf(`document.querySelector(".note").innerText.includes(%q)`, text))
	}
	text := func() { s.Drop(".view", studiotest.TextFile(t, "notes.txt")) }

	meters := func(want string) {
		t.Helper()
		if got := browsertest.Eval[string](s.Browser, `[...document.querySelectorAll("[role=meter]")].map((meter) => Number(meter.ariaValueNow).toFixed() + "/" + meter.ariaValueMax).sort().join(" ")`); got != want {
			t.Errorf("the meters announce %s, want %s", got, want)
		}
	}
	meters("0/1 0/1")
	s.Drop(".view", blue)
	s.WaitFor(caption + `.startsWith("blue disc") && document.querySelector(".said").textContent`)
	meters("0/1 0/1 1/1") // with the one of unknown images
	const shown = `document.querySelector("main").innerText + document.querySelector(".classes").innerText + ["canvas", "video", ".invitation"].map((part) => document.querySelector(part).hidden)`
	s.Eval(`globalThis.blocked = MediaDevices.prototype.getUserMedia;
		globalThis.failure = "NotAllowedError";
		MediaDevices.prototype.getUserMedia = () => Promise.reject(new DOMException("", failure));`)
	for _, c := range []struct {
		name, note string
		try        func()
	}{
		{"a text", "cannot read this as a picture", text},
		{"a folder", "cannot read this as a picture", func() { s.Drop(".view", t.TempDir()) }},
		{"a blocked camera", "camera is blocked", func() { s.Click("#camera") }},
		{"a camera in use", "another program uses it", func() { s.Eval(`failure = "NotReadableError"`); s.Click("#camera") }},
	} {
		s.Eval(`document.querySelector(".note").textContent = ""`)
		before := browsertest.Eval[string](s.Browser, shown)
		c.try()
		says(c.note)
		s.Eval(`document.querySelector(".note").textContent = ""`)
		if after := browsertest.Eval[string](s.Browser, shown); after != before {
			t.Errorf("%s: the page shows %q, before %q", c.name, after, before)
		}
	}
	s.Drop(".view", red, blue)
	s.WaitFor(caption + `.startsWith("red disc")`)
	says("this is the first one")

	// The camera continues.
	s.Eval(`MediaDevices.prototype.getUserMedia = blocked`)
	s.Click("#camera")
	s.WaitFor(`document.querySelector("video:not([hidden])")?.videoWidth > 0`)
	text()
	says("cannot read this as a picture")
	s.Eval(`document.querySelector(".caption").hidden = true`)
	s.WaitFor(caption + ` && document.querySelector("video:not([hidden])")`)
	s.Eval(`engine.classify = () => Promise.reject(Object.assign(new Error("a crash"), { code: "crashed" }))`)
	says("The page is recovering")
	s.Eval(`delete engine.classify`)
	s.WaitFor(`document.querySelector(".note").innerText === ""`)
	s.Eval(`document.querySelector("video").srcObject.getTracks()[0].dispatchEvent(new Event("ended"))`)
	says("camera is gone")
	s.Click("#camera")
	s.WaitFor(`document.querySelector(".note").innerText === "" && document.querySelector("video:not([hidden])")`)
	s.Drop(".view", blue)
	s.WaitFor(caption + `.startsWith("blue disc") && document.querySelector("video").hidden`)
	s.NoProblems()
}

// A screen reader announces the answer to each picture, also the same answer again, and why a file has none.
func TestPageAnnouncesItsAnswer(t *testing.T) {
	folder := t.TempDir()
	sharedPage(t, filepath.Join(folder, "discs.html"), studiotest.Discs(t, method.Default()))
	s := studiotest.OpenPage(t, site(t, folder, false)+"/pages/discs.html", browsertest.Options{})
	s.WaitFor(ready)
	s.Eval(`globalThis.said = [];
		for (const region of document.querySelectorAll("[role=status]")) {
			new MutationObserver(() => region.textContent && said.push(region.textContent)).observe(region, { subtree: true, childList: true, characterData: true });
		}`)
	blue := studiotest.PictureFile(t, "blue.jpg", studiotest.Blue)
	for i, path := range []string{blue, blue, studiotest.TextFile(t, "notes.txt")} {
		s.Upload("#picture", path)
		s.WaitFor(fmt.Sprintf(`said.length > %d`, i))
	}
	if said := browsertest.Eval[[]string](s.Browser, "said"); !slices.Equal(said, []string{"blue disc", "blue disc", "The page cannot read this as a picture: choose a JPEG, PNG or WebP."}) {
		t.Errorf("said is %q", said)
	}
	s.NoProblems()
}

// A page on a screen without a keyboard starts its camera, starts it again after trouble, and keeps the screen on.
func TestUnattendedPage(t *testing.T) {
	folder := t.TempDir()
	sharedPage(t, filepath.Join(folder, "discs.html"), studiotest.Discs(t, method.Default()))
	s := studiotest.OpenPage(t, site(t, folder, false)+"/pages/discs.html#start", browsertest.Options{Camera: studiotest.PlainFilm(t)})
	const answers = `document.querySelector(".caption:not([hidden])") && document.querySelector("video:not([hidden])")`
	s.WaitFor(answers)
	s.Eval(`globalThis.lit = 0;
		navigator.wakeLock.request = async () => { lit++; return { release: async () => { lit--; } }; };
		globalThis.opened = 0;
		const open = MediaDevices.prototype.getUserMedia;
		MediaDevices.prototype.getUserMedia = function (wants) { return opened++ ? open.call(this, wants) : Promise.reject(new DOMException("", "NotFoundError")); };
		document.querySelector("video").srcObject.getTracks()[0].dispatchEvent(new Event("ended"))`)
	s.WaitFor(`document.querySelector(".note").innerText.includes("camera is gone")`)
	s.WaitFor(`opened === 2 && lit === 1 && document.querySelector(".note").innerText === "" && ` + answers)
	s.Click("#camera")
	s.WaitFor(`lit === 0`)
	s.NoProblems()
}

// On a phone, a button turns to the other camera. Devices whose cameras have no sides, and those with one, have no button.
func TestSharedPageTurnsTheCamera(t *testing.T) {
	folder := t.TempDir()
	sharedPage(t, filepath.Join(folder, "discs.html"), studiotest.Discs(t, method.Default()))
	s := studiotest.OpenPage(t, site(t, folder, false)+"/pages/discs.html", browsertest.Options{Camera: studiotest.PlainFilm(t)})
	s.WaitFor(ready)
	runs := func() { t.Helper(); s.WaitFor(`document.querySelector("video:not([hidden])")?.videoWidth > 0`) }
	s.Click("#camera")
	runs()
	s.WaitFor(`document.querySelector(".caption:not([hidden])")`)
	if s.Count("#turn:not([hidden])") != 0 {
		t.Error("one camera can be turned")
	}
	s.Click("#camera")
	s.Eval(`globalThis.wanted = [];
		const open = MediaDevices.prototype.getUserMedia;
		MediaDevices.prototype.getUserMedia = function (wants) { wanted.push(wants.video.facingMode.ideal); return open.call(this, wants); };
		MediaStreamTrack.prototype.getSettings = () => ({ facingMode: wanted.at(-1) });
		MediaDevices.prototype.enumerateDevices = async () => [{ kind: "videoinput" }, { kind: "audioinput" }, { kind: "videoinput" }];`)
	s.Click("#camera")
	for _, want := range []struct{ opened, mirrored string }{{"environment", "false"}, {"environment,user", "true"}, {"environment,user,environment", "false"}} {
		runs()
		s.WaitFor(`document.querySelector("#turn:not([hidden])")`)
		s.WaitFor(`String(document.querySelector("video").classList.contains("mirrored")) === "` + want.mirrored + `"`)
		if got := browsertest.Eval[string](s.Browser, `String(wanted)`); got != want.opened {
			t.Errorf("the page opened the cameras %s, want %s", got, want.opened)
		}
		s.Click("#turn")
	}
	runs()
	s.Click("#camera")
	if s.Count("#turn:not([hidden])") != 0 {
		t.Error("a stopped camera can be turned")
	}
	s.NoProblems()
}
