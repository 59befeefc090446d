package web_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"github.com/deepemd/deepemd/internal/browsertest"
)

// Whatever keeps the camera away is said in the page, with the remedy; what does
// not need it goes on working.
func TestNoCamera(t *testing.T) {
	for _, c := range []struct {
		name, title, remedy string
		flags               map[string]any
		script              string
	}{
		{"denied", "not allowed", "address bar", map[string]any{
			"use-fake-device-for-media-stream": true, "use-fake-ui-for-media-stream": "deny",
		}, ""},
		{"none", "No camera", "Connect one", map[string]any{
			"use-fake-device-for-media-stream": "device-count=0", "use-fake-ui-for-media-stream": true,
		}, ""},
		{"in use", "in use", "close that one", nil,
			`navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException("Could not start video source", "NotReadableError"))`},
		{"not secure", "no camera to this address", "localhost", nil,
			`Object.defineProperty(navigator, "mediaDevices", { value: undefined })`},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := open(t, browsertest.Options{Flags: c.flags}, c.script)
			s.ready()
			s.drop(card(1), pictureFile(t, "red.jpg", red))
			s.waitCount(".thumbnail", 1)
			s.click("#start")
			s.WaitFor(`document.querySelector(".invitation.problem")`, 10*time.Second)
			for _, want := range []string{c.title, c.remedy, "pictures from files"} {
				if got := s.text(".invitation"); !strings.Contains(got, want) {
					t.Errorf("the page says %q, want it to mention %q", got, want)
				}
			}
			s.shot("camera-" + strings.ReplaceAll(c.name, " ", "-"))
			s.press(card(1) + " .capture")() // says that the camera is off
			s.WaitFor(`document.querySelector(".message")`, 5*time.Second)
			if got := s.count(".thumbnail"); got != 1 {
				t.Errorf("%d examples after the camera failed, want the 1 there was", got)
			}
			s.drop(".view", pictureFile(t, "test.jpg", red))
			s.WaitFor(`document.querySelector(".caption")?.innerText.includes("Class 1")`, 10*time.Second)
			s.quiet()
		})
	}
}

// A crashed engine is said, comes back, and has lost nothing.
func TestCrash(t *testing.T) {
	for how, title := range map[string]string{"panic": "stopped", "memory": "out of memory"} {
		t.Run(how, func(t *testing.T) {
			s := open(t, browsertest.Options{Camera: plainFilm(t)}, spy)
			s.ready()
			s.drop(card(1), pictureFile(t, "a.jpg", red), pictureFile(t, "b.jpg", red))
			s.drop(card(2), pictureFile(t, "c.jpg", blue))
			s.waitCount(".thumbnail", 3)
			s.click("#start")
			s.WaitFor("spy.answers > 3", 20*time.Second)

			// What the page says while it restarts is gone in a moment: keep it.
			s.Eval(`
				globalThis.said = [];
				new MutationObserver(() => said.push(document.querySelector(".messages").innerText))
					.observe(document.querySelector(".messages"), { childList: true, subtree: true, characterData: true });
				studio.engine.then((e) => e[Symbol.for("deepemd.crash")](` + fmt.Sprintf("%q", how) + `)).catch(() => {});`)
			s.WaitFor(`document.querySelector(".message.good")`, 30*time.Second)
			s.shot("crash-" + how)
			said := strings.Join(browsertest.Eval[[]string](s.Browser, "said"), "\n")
			for _, want := range []string{title, "All 3 examples are kept", "runs again"} {
				if !strings.Contains(said, want) {
					t.Errorf("the page said %q, want it to mention %q", said, want)
				}
			}
			s.Eval("spy.answers = 0")
			s.WaitFor("spy.answers > 3", 20*time.Second)
			if got := s.count(".thumbnail"); got != 3 {
				t.Errorf("%d examples after the crash, want 3", got)
			}
			s.press(card(2) + " .capture")()
			s.waitCount(".thumbnail", 4)
			s.quiet()
		})
	}
}

// An engine that cannot be loaded is said, and loaded when that is asked for.
func TestEngineThatDoesNotLoad(t *testing.T) {
	whole := site(t)
	var broken atomic.Bool
	broken.Store(true)
	s := openSite(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if broken.Load() && strings.HasPrefix(r.URL.Path, "/weights/") {
			http.NotFound(w, r)
			return
		}
		whole.ServeHTTP(w, r)
	}), browsertest.Options{})
	s.WaitFor(`document.querySelector(".message.trouble")`, 30*time.Second)
	if got := s.text(".message"); !strings.Contains(got, "could not be loaded") || !strings.Contains(got, "404") {
		t.Errorf("the page says %q, want what could not be loaded and why", got)
	}
	s.shot("no-engine")
	s.drop(card(1), pictureFile(t, "red.jpg", red)) // waits for the engine
	broken.Store(false)
	s.click(".message .plain")
	s.ready()
	s.waitCount(".thumbnail", 1)
	s.waitCount(".message", 0)
	s.quiet("404")
}

// The capture button is held with the space bar or Enter as with a pointer.
func TestCaptureByKeyboard(t *testing.T) {
	s := open(t, browsertest.Options{Camera: plainFilm(t)})
	s.ready()
	s.click("#start")
	s.WaitFor(`document.querySelector("#cameras")`, 20*time.Second)
	s.Do(chromedp.Focus(chromedp.CSS(card(2) + " .capture")))
	for i, k := range []struct {
		key, code string
		number    int64
	}{{" ", "Space", 32}, {"Enter", "Enter", 13}} {
		before := s.count(card(2) + " .thumbnail")
		s.key(input.DispatchKeyEventTypeKeyDown, k.key, k.code, k.number)
		s.WaitFor(fmt.Sprintf("document.querySelectorAll(%q).length >= %d", card(2)+" .thumbnail", before+3), 20*time.Second)
		s.key(input.DispatchKeyEventTypeKeyUp, k.key, k.code, k.number)
		s.WaitFor(`!document.querySelector(".card.held")`, 5*time.Second)
		time.Sleep(300 * time.Millisecond)
		after := s.count(card(2) + " .thumbnail")
		time.Sleep(500 * time.Millisecond)
		if got := s.count(card(2) + " .thumbnail"); got != after {
			t.Errorf("key %d: examples are still taken after it was let go", i)
		}
	}
	// A click without a pointer, as assistive technology makes.
	before := s.count(".thumbnail")
	s.Eval(fmt.Sprintf("document.querySelector(%q).click()", card(2)+" .capture"))
	s.waitCount(".thumbnail", before+1)
	s.quiet()
}
