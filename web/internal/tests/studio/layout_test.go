//go:build !js

package studio_test

import (
	"fmt"
	"image/color"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/internal/networktest"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/web/internal/studiotest"
	"github.com/deepemd/deepemd/web/internal/texts"
)

// screens are the sizes of windows: large and usual desktops, a tablet, a phone in both directions,
// and a desktop that is enlarged four times.
var screens = []struct{ width, height int }{{1920, 1080}, {1280, 800}, {820, 1180}, {390, 844}, {844, 390}, {320, 568}}

// In every state of the page, on every screen, light and dark, and in every language, nothing is
// cut, covered or wider than the window, and axe-core finds nothing.
func TestLayout(t *testing.T) {
	s := open(t, browsertest.Options{Camera: studiotest.PlainFilm(t), Timeout: 8 * time.Minute}, studiotest.Newcomer)
	s.Ready()
	s.looks("at first", false)
	s.Eval(`globalThis.camera = navigator.mediaDevices.getUserMedia;
		navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException("", "NotFoundError"))`)
	s.Click("#start")
	s.WaitFor(`document.querySelector(".invitation.problem")`)
	s.looks("without a camera", false)
	s.OpenDialog("#guide-lessons", "#lessons")
	s.looks("lessons", false)
	s.CloseDialog("#lessons")

	folder, labels := t.TempDir(), []string{}
	for _, thing := range things {
		labels = append(labels, thing.name, fmt.Sprintf("A thing with a name, number %d", len(labels)))
	}
	for _, label := range labels {
		require.NoError(t, os.Mkdir(filepath.Join(folder, label), 0o755))
		studiotest.WritePicture(t, filepath.Join(folder, label, "0.jpg"), studiotest.Disc(studiotest.Red))
	}
	s.OpenDialog("#open-projects", "#projects")
	s.Upload("#open-file", studiotest.ProjectOf(t, labels, 4))
	s.WaitCount(".cards .thumbnail", 4*len(labels))
	s.Upload("#test-picture", studiotest.PictureFile(t, "test.jpg", studiotest.Blue))
	s.WaitCount(".bar:not(.unknown)", len(labels))
	unfold(s.Studio)
	s.WaitCount(".confusion tbody tr", len(labels))
	s.Click("#show-growth")
	s.WaitFor(`document.querySelector("#growth-says")`)
	s.WaitFor(`!document.querySelector(".improve .busy")`)
	s.looks("taught, with every panel", true)
	s.Click(studiotest.Card(8) + " .remove")
	s.WaitFor(`document.querySelector(".message .plain")`)
	s.Axe("with a message")
	s.Click(".message .plain") // undo
	s.WaitCount(".message", 0)
	s.WaitCount(".cards .thumbnail", 4*len(labels))
	s.Drop(".trial", folder)
	s.WaitFor(`document.querySelector(".trial .accuracy") && !document.querySelector(".trial .running, .improve .busy")`)
	s.looks("tested", false)
	for _, screen := range screens[:2] {
		s.Window(screen.width, screen.height)
		if n := browsertest.Eval[int](s.Browser, `[...document.querySelectorAll(".matrix")].filter((m) => m.scrollWidth > m.clientWidth).length`); n > 0 {
			t.Errorf("at %d px %d tables of eight classes scroll", screen.width, n)
		}
	}
	s.languages()

	s.Eval(`navigator.mediaDevices.getUserMedia = camera`)
	s.StartCamera()
	s.Click("#frame")
	s.WaitFor(`document.querySelector(".frame-panel")`)
	s.looks("framing", false)
	s.Click("#frame-done")
	s.OpenDialog("#open-recording", "#recording")
	s.Click(`input[name="recording-how"][value="hands-free"]`)
	s.WaitFor(`document.querySelector("#recording-beep")`)
	s.looks("recording", false)
	s.CloseDialog("#recording")
	s.Click("#start")

	s.OpenDialog("#open-projects", "#projects")
	s.OpenDialog("#embed-project", "#embedding")
	s.looks("embedding", false)
	s.CloseDialog("#embedding")
	s.experts()
	s.Upload("#own-weights", studiotest.TextFile(t, "notes.safetensors"))
	s.WaitFor(`document.querySelector(".not-used")`)
	s.looks("a network that is refused", false)
	s.Click("#close-network")
	s.WaitCount(".not-used", 0)
	s.offer(written(t, "mine.safetensors", networkFile(t, networktest.Residual(true), "mine")))
	s.looks("the figures of a network", false)

	s.Open(s.Origin + "/#lesson=characters") // which reloads the page
	s.WaitFor(`document.querySelector("#teach-drawings:not(:disabled)")`)
	s.Click("#teach-drawings")
	s.WaitFor(`document.querySelector(".lesson li.done[data-step=teach]")`)
	s.Click("#draw")
	s.WaitFor(`document.querySelector(".pad:not(.hidden) canvas.ready")`)
	s.looks("a lesson, with the pad", false)
	s.Open(s.Origin + "/#sounds")
	s.WaitFor(`document.querySelector(".studio:not([inert])") && studio.sounds`)
	s.Ready()
	s.looks("sounds", false)
	s.Quiet()
}

// On a laptop, the bars are in sight below the camera, without scrolling; a message leaves room for its
// text beside a long button.
func TestLaptop(t *testing.T) {
	s := open(t, browsertest.Options{Camera: studiotest.PlainFilm(t)})
	s.Ready()
	for class, kind := range []color.RGBA{studiotest.Red, studiotest.Green, studiotest.Blue} {
		if class == 2 {
			s.Click("#add-class")
		}
		s.Give(class+1, studiotest.PictureFile(t, "a.jpg", kind))
	}
	s.StartCamera()
	s.WaitCount(".bars > li", 4)
	for _, screen := range [][2]int{{1366, 650}, {1280, 720}, {1440, 789}} {
		s.Window(screen[0], screen[1])
		s.Eval(`scrollTo(0, 0)`)
		if below := browsertest.Eval[float64](s.Browser, `document.querySelector(".bars > :last-child").getBoundingClientRect().bottom - innerHeight`); below > 0 {
			t.Errorf("at %v the last bar ends %v px below the window", screen, below)
		}
	}
	// The header keeps its lines with the longest texts.
	for _, screen := range [][2]int{{844, 390}, {640, 360}, {640, 900}, {700, 900}, {860, 700}, {1000, 700}, {1366, 650}} {
		s.Window(screen[0], screen[1])
		if got := browsertest.Eval[[]float64](s.Browser, `(() => {
			const [text, slogan] = ["#loading-text", ".brand p"].map((field) => document.querySelector(field));
			const before = [text.textContent, slogan.textContent];
			const height = document.querySelector(".top").offsetHeight;
			[text.textContent, slogan.textContent] = ["Die Beispiele werden aktualisiert, 100 von 500", "Zeig der Seite ein paar Beispiele, und sie erkennt den Unterschied"];
			const got = [document.querySelector(".top").offsetHeight - height, document.documentElement.scrollWidth - innerWidth];
			[text.textContent, slogan.textContent] = before;
			return got;
		})()`); got[0] != 0 || got[1] > 0 {
			t.Errorf("at %v long texts make the header %v px higher and the page %v px wider", screen, got[0], got[1])
		}
	}
	s.Click(studiotest.Card(3) + " .remove")
	s.WaitFor(`document.querySelector(".message .plain")`)
	s.Eval(`document.querySelector(".message .plain").textContent = "Use the default network"`)
	if got := browsertest.Eval[[]float64](s.Browser, `(() => {
		const box = (what) => document.querySelector(".message" + what).getBoundingClientRect();
		return [box(" > div").width / box("").width, box("").right - box(" > .quiet").right];
	})()`); got[0] < .6 || got[1] > 16 {
		t.Errorf("the text takes %v of the message, and the button that dismisses it is %v px from its end", got[0], got[1])
	}
	s.Quiet()
}

// With text of twice the size, in German, nothing is cut or covered on a laptop and a phone.
func TestLargeText(t *testing.T) {
	s := open(t, browsertest.Options{Flags: speaking("de")})
	s.teachDiscs()
	unfold(s.Studio)
	s.Eval(`document.documentElement.style.fontSize = "200%"`)
	for _, screen := range [][2]int{{1280, 800}, {390, 844}} {
		s.Window(screen[0], screen[1])
		s.fits(fmt.Sprintf("large text at %v", screen))
	}
	s.Quiet()
}

// looks checks a state on every screen. axe-core examines it on a light desktop and a dark phone, or
// everywhere.
func (s *studio) looks(state string, everywhere bool) {
	s.T.Helper()
	for _, screen := range screens {
		s.Window(screen.width, screen.height)
		for _, scheme := range []string{"light", "dark"} {
			usual := screen.width == 1280 && scheme == "light" || screen.width == 390 && scheme == "dark"
			if scheme == "dark" && !usual && !everywhere {
				continue // colors change no sizes
			}
			s.Scheme(scheme)
			name := fmt.Sprintf("%s, %d × %d px, %s", state, screen.width, screen.height, scheme)
			s.fits(name)
			if usual || everywhere {
				s.Axe(name)
			}
			s.Shot(name)
		}
	}
	s.Window(1280, 800)
}

// languages checks the dialogs and the page with all its panels in every language, on a desktop and
// a phone.
func (s *studio) languages() {
	s.T.Helper()
	for _, language := range texts.Languages() {
		s.OpenDialog("#open-settings", "#settings")
		s.Click(fmt.Sprintf(`#settings[open] input[name=language][value=%s]`, language.Code))
		s.WaitFor(fmt.Sprintf(`document.querySelector("#settings-title").innerText === %q`, texts.In(language.Code).Settings.Title))
		for _, dialog := range []string{"settings", "projects", ""} {
			if dialog == "projects" {
				s.OpenDialog("#open-projects", "#projects")
			}
			for _, screen := range screens[:4] {
				s.Window(screen.width, screen.height)
				name := fmt.Sprintf("%s%s, %d px", language.Code, dialog, screen.width)
				s.fits(name)
				s.Shot(name)
			}
			s.Window(320, 568)
			if got := browsertest.Eval[string](s.Browser, `[...document.querySelectorAll(".bars > .rest .name")].map((name) => (name.scrollWidth > name.clientWidth ? name.innerText : "whole")).join()`); got != "whole" {
				s.T.Errorf("%s, 320 px: %q is cut", language.Code, got)
			}
			s.Window(1280, 800)
			if dialog != "" {
				s.CloseDialog("#" + dialog)
			}
		}
	}
}

// fits fails the test if something is cut, covered or wider than the window.
func (s *studio) fits(name string) {
	s.T.Helper()
	s.Calm()
	for _, fault := range browsertest.Eval[[]string](s.Browser, faults) {
		s.T.Errorf("%s: %s", name, fault)
	}
}

// faults is a script that returns faults of the layout: a page that scrolls horizontally, boxes that
// hold more than fits, names that overlap or leave the window, and controls that are covered.
const faults = `(() => {
	const found = [], root = document.querySelector("deep-emd")?.shadowRoot ?? document;
	const within = [...root.querySelectorAll("dialog[open]")].at(-1) ?? root;
	const say = (e) => e.tagName.toLowerCase() + "." + e.className + " " + (e.getAttribute("aria-label") || e.textContent).slice(0, 60);
	const scrolled = (e) => { for (; e; e = e.parentElement) if (["auto", "scroll", "hidden"].includes(getComputedStyle(e).overflowX)) return true; };
	if (document.documentElement.scrollWidth > innerWidth) {
		const wide = [...document.querySelectorAll("body *")].filter((e) => e.getBoundingClientRect().right > innerWidth + 1 && !scrolled(e));
		found.push("the page is " + document.documentElement.scrollWidth + " px wide: " + wide.map(say).slice(-3));
	}
	for (const box of root.querySelectorAll("article, header, dialog[open], .card, .rule, .lead, .bars li, button, h1, h2, h3, th, legend, summary")) {
		const { overflowX, textOverflow } = getComputedStyle(box);
		if (textOverflow === "ellipsis" || ["auto", "scroll"].includes(overflowX)) continue;
		if (box.checkVisibility() && box.clientWidth > 1 && box.scrollWidth > box.clientWidth + 1) found.push(say(box) + " holds more than fits: " + box.scrollWidth + " px in " + box.clientWidth);
	}
	for (const name of root.querySelectorAll(".card .name, .bars .name, .caption span:first-child, .matrix .label, .rule .name, .strip .name, .compare .name, .pulls .ahead, .pulls .rival, .project .title, .picked h3, h1, h2, .class .name, .row .label")) {
		const box = name.getBoundingClientRect(), placed = (e) => getComputedStyle(e).position === "absolute";
		if (box.width === 0) continue;
		if (!scrolled(name) && (box.left < -1 || box.right > innerWidth + 1)) found.push(say(name) + " leaves the window");
		for (const other of placed(name) ? [] : name.parentElement.children) {
			const o = other.getBoundingClientRect();
			if (other === name || o.width === 0 || placed(other)) continue;
			if (Math.min(box.right, o.right) - Math.max(box.left, o.left) > 1 && Math.min(box.bottom, o.bottom) - Math.max(box.top, o.top) > 1) found.push(say(name) + " runs into " + say(other));
		}
	}
	const at = [scrollX, scrollY];
	for (const control of within.querySelectorAll("button, select, textarea, summary, a[href], input:not([type=file])")) {
		if (control.disabled || !control.checkVisibility({ opacityProperty: true, visibilityProperty: true }) || control.matches(".skip, [inert] *")) continue;
		let hit;
		const reached = ["center", "end"].some((block) => { // a stage that stays at the top may cover the center of a low window
			control.scrollIntoView({ block, inline: "center", behavior: "instant" });
			const [r] = control.getClientRects();
			if (!r || r.width < 2) return true;
			hit = root.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2);
			return control.contains(hit) || hit?.contains(control) || hit?.closest("label")?.contains(control);
		});
		if (!reached) found.push(say(control) + " is covered by " + (hit ? say(hit) : "the edge of the window"));
	}
	scrollTo(...at);
	return found;
})()`
