//go:build !js

package share_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/web/internal/studiotest"
)

// framed returns the tag of a frame with a page.
func framed(address, allow string) string {
	return fmt.Sprintf(`<iframe src=%q allow=%q width="1000" height="700"></iframe>`, address, allow)
}

// message is a message of a shared page.
type message struct {
	Origin, Type, Code, Message string
	Version                     int
	ID                          any
	Classes                     []struct{ ID, Label string }
	Scores                      []struct {
		ID, Label string
		Score     float64
	}
	Unknown *struct{ Unknown bool }
	MS      float64
}

// A page of another origin sends images to a shared page, in every form that a message can have,
// and gets live answers on request.
func TestFrameAnswers(t *testing.T) {
	folder := t.TempDir()
	sharedPage(t, filepath.Join(folder, "discs.html"), studiotest.Discs(t, method.Default()))
	origin := site(t, folder, true)
	s := studiotest.OpenPage(t, other(t, framed(origin+"/pages/discs.html", "camera; microphone")), browsertest.Options{Camera: studiotest.PlainFilm(t)})
	s.WaitFor(`got.length > 0`)
	first := browsertest.Eval[message](s.Browser, `got[0]`)
	if first.Type != "deepemd:ready" || first.Version != 1 || first.Origin != origin || len(first.Classes) != 2 || first.Classes[0].Label != "red disc" || first.Classes[1].ID != "blue disc" {
		t.Errorf("the page begins with %+v", first)
	}
	for i, picture := range []string{
		`await (await fetch("/blue.jpg")).blob()`,
		`await createImageBitmap(await (await fetch("/blue.jpg")).blob())`,
		`await (async () => {
			const bitmap = await createImageBitmap(await (await fetch("/blue.jpg")).blob());
			const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
			context.drawImage(bitmap, 0, 0);
			return context.getImageData(0, 0, bitmap.width, bitmap.height);
		})()`,
		`await (async () => {
			const bitmap = await createImageBitmap(await (await fetch("/blue.jpg")).blob());
			const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
			context.drawImage(bitmap, 0, 0);
			const { width, height, data } = context.getImageData(0, 0, bitmap.width, bitmap.height);
			return { width, height, data: new Uint8Array(data) };
		})()`,
	} {
		said := browsertest.Eval[message](s.Browser, fmt.Sprintf(`(async () => {
			const picture = %s;
			frame().postMessage({ type: "deepemd:classify", id: %d, picture }, %q, picture instanceof ImageBitmap ? [picture] : []);
			return reply(%[2]d);
		})()`, picture, i, origin))
		if said.Type != "deepemd:answer" || len(said.Scores) != 2 || said.Scores[0].Label != "blue disc" || said.Scores[0].Score < 0.5 || said.Unknown == nil || said.MS <= 0 {
			t.Errorf("form %d: %+v", i, said)
		}
	}

	// Errors have a code; other messages are ignored.
	s.Eval(fmt.Sprintf(`
		got.length = 0;
		for (const data of [
			"deepemd:classify", null, 3, {}, { type: "deepemd:sing", id: "x" }, { type: "classify", id: "x" },
			{ type: "deepemd:classify", id: "text", picture: new Blob(["no picture"]) },
			{ type: "deepemd:classify", id: "none" },
			{ type: "deepemd:classify", picture: new Blob([]) },
		]) frame().postMessage(data, %q);`, origin))
	s.WaitFor(`got.length >= 3`)
	said := browsertest.Eval[map[string]message](s.Browser, `Object.fromEntries(got.map((m) => [m.id ?? "without", m]))`)
	if m := said["text"]; m.Type != "deepemd:error" || m.Code != "bad-image" || m.Message == "" {
		t.Errorf("of a text: %+v", m)
	}
	if m := said["none"]; m.Type != "deepemd:error" || m.Code == "" || m.Code == "internal" {
		t.Errorf("of nothing: %+v", m)
	}
	if m := said["without"]; m.Type != "deepemd:error" || m.Code != "bad-argument" || !strings.Contains(m.Message, "id") {
		t.Errorf("without an id: %+v", m)
	}

	// Excess queries are rejected, the others answered.
	s.Eval(fmt.Sprintf(`got.length = 0;
		const data = new Uint8Array(3 * 90 * 90);
		for (let id = 1000; id < 1100; id++) frame().postMessage({ type: "deepemd:classify", id, picture: { width: 90, height: 90, data } }, %q);`, origin))
	s.WaitFor(`got.length === 100`)
	if busy := browsertest.Eval[int](s.Browser, `got.filter((m) => m.code === "busy").length`); busy != 36 {
		t.Errorf("%d of 100 questions at once were refused, want 36", busy)
	}

	// Only pages that have asked get the camera's answers.
	s.Eval(`got.length = 0`)
	clickInFrame(s, "#camera")
	frameUntil(s, `document.querySelector(".caption:not([hidden])") && document.querySelector("video").videoWidth > 0`)
	if got := browsertest.Eval[int](s.Browser, `got.length`); got != 0 {
		t.Errorf("%d messages before anybody asked", got)
	}
	// A parent that asks whenever it is greeted, as in web/docs/frame.md, is greeted once.
	s.Eval(fmt.Sprintf(`for (let i = 0; i < 2; i++) frame().postMessage({ type: "deepemd:listen" }, %q)`, origin))
	s.WaitFor(`got.filter((m) => m.type === "deepemd:prediction").length >= 5`)
	if m := browsertest.Eval[[]message](s.Browser, `got`); m[0].Type != "deepemd:ready" || len(m[1].Scores) != 2 || m[1].Unknown == nil || m[1].Origin != origin {
		t.Errorf("to one who listens: %+v, %+v", m[0], m[1])
	}
	if n := browsertest.Eval[int](s.Browser, `got.filter((m) => m.type === "deepemd:ready").length`); n != 1 {
		t.Errorf("greeted %d times after listening twice, want once", n)
	}
	if said := inFrame[string](s, `document.querySelector("footer").innerText`); !strings.Contains(said, "The page around it gets the answers") {
		t.Errorf("the page says %q to the person while the parent listens", said)
	}
	s.Eval(fmt.Sprintf(`frame().postMessage({ type: "deepemd:unlisten" }, %q);
		frame().postMessage({ type: "deepemd:classify", id: "after", picture: { width: 8, height: 8, data: new Uint8Array(192) } }, %[1]q)`, origin))
	s.WaitFor(`got.some((m) => m.id === "after")`)
	s.Eval(`got.length = 0`)
	const seconds = `document.querySelector("video").currentTime`
	then := inFrame[float64](s, seconds)
	frameUntil(s, fmt.Sprintf("%s > %f", seconds, then+0.5))
	if said := inFrame[string](s, `document.querySelector("footer").innerText`); !strings.Contains(said, "Nothing is sent") {
		t.Errorf("the page says %q to the person when nobody listens", said)
	}
	if got := browsertest.Eval[int](s.Browser, `got.length`); got != 0 {
		t.Errorf("%d messages to one who listens no more", got)
	}
	s.Shot("framed")
	s.NoProblems()
}

// A page made for certain origins does not answer others, and logs the reason.
func TestFrameAnswersOnlyItsParents(t *testing.T) {
	folder := t.TempDir()
	project := studiotest.Discs(t, method.Default())
	origin := site(t, folder, true)
	stranger := other(t, framed(origin+"/pages/discs.html", "camera")+`<iframe src="/frame.html"></iframe>`)
	sharedPage(t, filepath.Join(folder, "discs.html"), project, "https://example.org", "http://localhost:1")
	s := studiotest.OpenPage(t, stranger, browsertest.Options{})
	ask := func() {
		t.Helper()
		s.Eval(fmt.Sprintf(`for (const type of ["deepemd:listen", "deepemd:classify"])
			frame().postMessage({ type, id: "asked", picture: { width: 8, height: 8, data: new Uint8Array(192) } }, %q)`, origin))
	}
	frameUntil(s, ready)
	ask()
	// The frame's engine answers this after all previous queries.
	if label := inFrame[string](s, `new Promise((resolve) => setTimeout(() => resolve(document.querySelector(".name").innerText), 1000))`); label != "red disc" {
		t.Errorf("the page itself shows %q", label)
	}
	if got := browsertest.Eval[[]message](s.Browser, `got`); len(got) > 0 {
		t.Errorf("a stranger is told %+v", got)
	}
	warned := false
	for _, m := range s.Console() {
		warned = warned || m.Level == browsertest.LevelWarning && strings.Contains(m.Text, "does not answer "+stranger) && strings.Contains(m.Text, "https://example.org")
	}
	if !warned {
		t.Errorf("the console says %v", s.Console())
	}

	// The same page answers the right parent; another frame next to it does not.
	sharedPage(t, filepath.Join(folder, "discs.html"), project, "https://example.org", stranger)
	s.Open(stranger)
	s.WaitFor(`got.some((m) => m.type === "deepemd:ready")`)
	s.Eval(fmt.Sprintf(`const beside = document.querySelectorAll("iframe")[1].contentWindow;
		beside.told = [];
		beside.addEventListener("message", ({ data }) => beside.told.push(data));
		beside.eval('parent.frames[0].postMessage({ type: "deepemd:listen" }, %[1]q); parent.frames[0].postMessage({ type: "deepemd:classify", id: "beside", picture: new Blob([]) }, %[1]q)')`, origin))
	ask()
	s.WaitFor(`got.some((m) => m.id === "asked")`)
	if told := browsertest.Eval[string](s.Browser, `JSON.stringify([frames[1].told, got.filter((m) => m.id === "beside")])`); told != "[[],[]]" {
		t.Errorf("a frame beside is told %s", told)
	}
	s.NoProblems()
}

// A page from disk has no origin: the frame shows and recognizes, and sends it nothing.
func TestFrameTellsFilesNothing(t *testing.T) {
	folder := t.TempDir()
	sharedPage(t, filepath.Join(folder, "discs.html"), studiotest.Discs(t, method.Default()))
	origin := site(t, folder, true)
	file := filepath.Join(t.TempDir(), "mine.html")
	require.NoError(t, os.WriteFile(file, []byte("<!DOCTYPE html>"+listening+framed(origin+"/pages/discs.html", "camera")), 0o600))
	s := studiotest.OpenPage(t, "file://"+file, browsertest.Options{})
	warnings := frameConsole(t, s.Context(), "/pages/discs.html")
	s.Eval(fmt.Sprintf(`frame().postMessage({ type: "deepemd:classify", id: 1, picture: new Blob([]) }, %q)`, origin))
	select {
	case text := <-warnings:
		if !strings.Contains(text, "answers no files") {
			t.Errorf("the frame's console says %q", text)
		}
	case <-time.After(2 * time.Minute):
		t.Error("the frame says nothing in the console")
	}
	if got := browsertest.Eval[[]message](s.Browser, `got`); len(got) > 0 {
		t.Errorf("a file is told %+v", got)
	}
}

// frameConsole returns the console messages of a frame of another site, which has its own process,
// from its start.
func frameConsole(t *testing.T, ctx context.Context, path string) <-chan string {
	t.Helper()
	texts := make(chan string, 10)
	browsertest.Until(t, "there is a frame of "+path, func() bool {
		targets := require.Value(chromedp.Targets(ctx))(t)
		for _, target := range targets {
			if target.Type != "iframe" || !strings.Contains(target.URL, path) {
				continue
			}
			frame, cancel := chromedp.NewContext(ctx, chromedp.WithTargetID(target.TargetID))
			t.Cleanup(cancel)
			require.NoError(t, chromedp.Do(frame))
			go func() {
				for m, err := range chromedp.Console(frame) {
					if err != nil {
						return
					}
					texts <- m.Text
				}
			}()
			return true
		}
		return false
	})
	return texts
}

// Without permission for the camera, the page names the frame and the remedy. A server that forbids
// frames shows nothing.
func TestFrameWithoutLeave(t *testing.T) {
	folder := t.TempDir()
	sharedPage(t, filepath.Join(folder, "discs.html"), studiotest.Discs(t, method.Default()))
	origin := site(t, folder, true)
	s := studiotest.OpenPage(t, other(t, framed(origin+"/pages/discs.html", "fullscreen")), browsertest.Options{Camera: studiotest.PlainFilm(t)})
	frameUntil(s, ready)
	clickInFrame(s, "#camera")
	frameUntil(s, `document.querySelector(".note:not(:empty)")`)
	if note := inFrame[string](s, `document.querySelector(".note").innerText`); !strings.Contains(note, `its iframe needs allow="camera"`) {
		t.Errorf("the note is %q", note)
	}
	s.Shot("framed-no-camera")
	s.NoProblems()

	// The page itself, outside the frame, gets the camera.
	s.Open(origin + "/pages/discs.html")
	s.WaitFor(ready)
	s.Click("#camera")
	s.WaitFor(`document.querySelector("video:not([hidden])")?.videoWidth > 0`)
	s.NoProblems()

	closed := site(t, folder, false)
	s.Open(other(t, framed(closed+"/pages/discs.html", "camera")))
	s.WaitFor(`document.querySelector("iframe")`)
	refused := func() bool {
		for _, m := range s.Console() {
			if strings.Contains(m.Text, "frame-ancestors") {
				return true
			}
		}
		return false
	}
	browsertest.Until(t, "the console says that the page may not be framed", refused)
}
