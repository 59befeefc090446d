//go:build !js

package studio_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/web/internal/studiotest"
)

// Every failure of the camera is reported with the remedy; the rest of the page continues to work.
func TestNoCamera(t *testing.T) {
	for _, c := range []struct {
		name, title, remedy string
		flags               map[string]any
		script              string
	}{
		{"denied", "blocked", "address bar", map[string]any{
			"use-fake-device-for-media-stream": true, "use-fake-ui-for-media-stream": "deny",
		}, ""},
		{"none", "No camera", "Connect one", map[string]any{
			"use-fake-device-for-media-stream": "device-count=0", "use-fake-ui-for-media-stream": true,
		}, ""},
		{"in use", "in use", "Close the other program", nil,
			`navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException("Could not start video source", "NotReadableError"))`},
		{"not secure", "blocks the camera at this address", "localhost", nil,
			`Object.defineProperty(navigator, "mediaDevices", { value: undefined })`},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := studiotest.Open(t, browsertest.Options{Flags: c.flags}, c.script)
			s.Ready()
			s.Drop(studiotest.Card(1), studiotest.PictureFile(t, "red.jpg", studiotest.Red))
			s.WaitCount(".thumbnail", 1)
			s.Click("#start")
			s.WaitFor(`document.querySelector(".invitation.problem")`)
			for _, want := range []string{c.title, c.remedy, "pictures from files"} {
				if got := s.Text(".invitation"); !strings.Contains(got, want) {
					t.Errorf("the page says %q, want it to mention %q", got, want)
				}
			}
			s.Shot("camera-" + strings.ReplaceAll(c.name, " ", "-"))
			s.Press(studiotest.Card(1) + " .capture")() // reports that the camera is off
			s.WaitFor(`document.querySelector(".message")`)
			if got := s.Count(".thumbnail"); got != 1 {
				t.Errorf("%d examples after the camera failed, want the 1 there was", got)
			}
			s.Drop(".view", studiotest.PictureFile(t, "test.jpg", studiotest.Red))
			s.WaitFor(`document.querySelector(".caption")?.innerText.includes("Class 1")`)
			s.Quiet()
		})
	}
}

// A crashed engine is reported, restarts, and loses nothing.
func TestCrash(t *testing.T) {
	for how, title := range map[string]string{"panic": "stopped", "memory": "out of memory"} {
		t.Run(how, func(t *testing.T) {
			s := studiotest.Open(t, browsertest.Options{Camera: studiotest.PlainFilm(t)}, studiotest.Spy)
			s.Ready()
			s.Drop(studiotest.Card(1), studiotest.PictureFile(t, "a.jpg", studiotest.Red), studiotest.PictureFile(t, "b.jpg", studiotest.Red))
			s.Drop(studiotest.Card(2), studiotest.PictureFile(t, "c.jpg", studiotest.Blue))
			s.WaitCount(".thumbnail", 3)
			s.Click("#start")
			s.WaitFor("spy.answers > 3")

			// The notice about the restart disappears quickly: record it.
			s.Eval(`
				globalThis.said = [];
				new MutationObserver(() => said.push(document.querySelector(".messages").innerText))
					.observe(document.querySelector(".messages"), { childList: true, subtree: true, characterData: true });
				studio.engine.then((e) => e[Symbol.for("deepemd.crash")](` + fmt.Sprintf("%q", how) + `)).catch(() => {});`)
			s.WaitFor(`document.querySelector(".message.good")`)
			s.Shot("crash-" + how)
			said := strings.Join(browsertest.Eval[[]string](s.Browser, "said"), "\n")
			for _, want := range []string{title, "All 3 examples are kept", "running again"} {
				if !strings.Contains(said, want) {
					t.Errorf("the page said %q, want it to mention %q", said, want)
				}
			}
			s.Eval("spy.answers = 0")
			s.WaitFor("spy.answers > 3")
			if got := s.Count(".thumbnail"); got != 3 {
				t.Errorf("%d examples after the crash, want 3", got)
			}
			s.Press(studiotest.Card(2) + " .capture")()
			s.WaitCount(".thumbnail", 4)
			s.Quiet()
		})
	}
}

// An engine that cannot be loaded is reported, and loads on request.
func TestEngineThatDoesNotLoad(t *testing.T) {
	whole := studiotest.Site(t)
	var broken atomic.Bool
	broken.Store(true)
	s := studiotest.OpenSite(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if broken.Load() && strings.HasPrefix(r.URL.Path, "/weights/") {
			http.NotFound(w, r)
			return
		}
		whole.ServeHTTP(w, r)
	}), browsertest.Options{})
	s.WaitFor(`document.querySelector(".message.trouble")`)
	if got := s.Text(".message"); !strings.Contains(got, "could not be loaded") || !strings.Contains(got, "Check the connection") || strings.Contains(got, "404") {
		t.Errorf("the page says %q, want what could not be loaded and what to do", got)
	}
	s.Click(".message summary")
	s.WaitFor(`document.querySelector(".message details[open] p").innerText.includes("404")`)
	s.Shot("no-engine")
	s.Drop(studiotest.Card(1), studiotest.PictureFile(t, "red.jpg", studiotest.Red))
	broken.Store(false)
	s.Click(".message .plain")
	s.Ready()
	s.WaitCount(".thumbnail", 1)
	s.WaitCount(".message", 0)
	s.Quiet("404")
}

// A page without its script says so. Its style, and a module, are loaded again. While its program is loaded, the page shows the
// progress of the engine.
func TestPagesThatDoNotLoad(t *testing.T) {
	for file, wait := range map[string]string{
		"/web/boot.js":     `document.querySelector(".fatal")?.innerText.includes("Check the connection")`,
		"/web/studio.css":  `document.querySelector(".skip") && getComputedStyle(document.querySelector(".skip")).position === "absolute"`,
		"/web/app.wasm":    `document.querySelector("#loading-text")?.innerText.includes("100%") && getComputedStyle(document.documentElement).cursor === "progress"`,
		"/web/projects.js": `document.querySelector("#open-projects .title")?.innerText === "Project 1"`,
	} {
		t.Run(file, func(t *testing.T) {
			var broken atomic.Bool
			whole := studiotest.Site(t)
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				switch {
				case r.URL.Path != file || broken.Swap(true):
					whole.ServeHTTP(w, r)
				case file == "/web/app.wasm":
					<-r.Context().Done()
				default:
					http.NotFound(w, r)
				}
			}))
			t.Cleanup(server.Close)
			studiotest.OpenPage(t, server.URL+"/", browsertest.Options{}).WaitFor(wait)
		})
	}
}
