//go:build !js

package studio_test

import (
	"fmt"
	"image/color"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/web/internal/studiotest"
	"github.com/deepemd/deepemd/web/internal/texts"
)

// The Tab key reaches the whole page in reading order with a visible focus; the first stop skips
// the header.
func TestKeyboard(t *testing.T) {
	s := open(t, browsertest.Options{})
	s.Ready()
	s.Drop(studiotest.Card(1), studiotest.PictureFile(t, "red.jpg", studiotest.Red))
	s.WaitCount(".thumbnail", 1)
	s.leaveFocus()
	var stops []string
	for range 60 {
		s.pressTab()
		stop := browsertest.Eval[string](s.Browser, `(() => {
			const e = document.activeElement;
			if (!e || e === document.body) return "";
			const label = e.getAttribute("aria-label") || e.closest("label")?.innerText || e.innerText || e.value || e.id;
			const box = e.matches(".file input") ? e.closest(".file") : e;
			const { outlineStyle, outlineWidth } = getComputedStyle(box);
			const seen = box.getBoundingClientRect();
			if (outlineStyle === "none" || outlineWidth === "0px") return label + " (no outline)";
			if (seen.bottom < 0 || seen.top > innerHeight || !seen.width) return label + " (out of sight)";
			return label;
		})()`)
		if stop == "" || len(stops) > 0 && stop == stops[0] {
			break
		}
		stops = append(stops, strings.TrimSpace(stop))
	}
	all := strings.Join(stops, "; ")
	if strings.Contains(all, "(") {
		t.Errorf("not every stop can be seen: %s", all)
	}
	at := 0
	for _, want := range []string{
		"Skip to the classes", "Settings", "Start camera", "Test a picture", "Name of the class", "Delete class Class 1", "Hold to capture",
		"Add pictures to Class 1", "Delete example 1 of Class 1", "Name of the class", "Delete class Class 2", "Add a class",
		"Hold to capture", "Add pictures to None of these",
	} {
		i := strings.Index(all[at:], want)
		if i < 0 {
			t.Fatalf("the Tab key does not come to %q after %q; it stops at: %s", want, all[:at], all)
		}
		at += i + len(want)
	}

	s.leaveFocus()
	s.pressTab()
	if got := browsertest.Eval[string](s.Browser, "document.activeElement.innerText"); got != "Skip to the classes" {
		t.Fatalf("the first stop is %q, want the way to the classes", got)
	}
	s.Keys("\r")
	s.WaitFor(`document.activeElement.id === "classes"`)
	s.pressTab()
	if got := browsertest.Eval[string](s.Browser, `document.activeElement.getAttribute("aria-label")`); got != "Name of the class" {
		t.Errorf("after the jump the next stop is %q, want the first class's name", got)
	}
	s.Quiet()
}

// leaveFocus makes the next Tab key start at the top of the page. Removing a focused element does
// this in every version of Chromium; after blur some start where a file was dropped.
func (s *studio) leaveFocus() {
	s.T.Helper()
	s.Eval(`(() => {
		const top = document.createElement("button");
		document.body.prepend(top);
		top.focus();
		top.remove();
		scrollTo(0, 0);
	})()`)
}

// pressTab presses the Tab key.
func (s *studio) pressTab() {
	s.T.Helper()
	s.Tap("Tab", 9)
}

// A message over the foot of the page does not cover what the Tab key reaches.
func TestMessagesDoNotCoverTheFocus(t *testing.T) {
	broken := filepath.Join(t.TempDir(), "broken.jpg")
	require.NoError(t, os.WriteFile(broken, []byte("no picture"), 0o600))
	s := open(t, browsertest.Options{})
	s.Ready()
	for n := 3; n <= 6; n++ {
		s.Click("#add-class")
		s.WaitCount(".cards .card", n)
	}
	s.Drop(studiotest.Card(1), broken)
	s.WaitFor(`document.querySelector(".message")`)
	s.leaveFocus()
	seen := map[string]bool{}
	for range 60 {
		s.pressTab()
		stop := browsertest.Eval[[]string](s.Browser, `(() => {
			const e = document.activeElement, box = e.closest(".file") ?? e;
			if (e.closest(".messages")) return ["message", ""];
			const { left, right, top, bottom } = box.getBoundingClientRect();
			const cover = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)?.closest(".messages");
			return [e.id || e.ariaLabel || e.innerText, cover ? "covered" : ""];
		})()`)
		if stop[1] != "" {
			t.Errorf("the message covers %q", stop[0])
		}
		seen[stop[0]] = true
	}
	if !seen["name-class-6"] || !seen["add-class"] {
		t.Errorf("the Tab key reached only %v", slices.Sorted(maps.Keys(seen)))
	}
}

// Screen readers announce changes of state and notices, but not the numbers of every frame.
func TestLiveRegionsDoNotChatter(t *testing.T) {
	s := open(t, browsertest.Options{Camera: studiotest.DiscFilm(t, 8, studiotest.Red)})
	s.teachDiscs()
	s.StartCamera()
	s.WaitFor(`document.querySelector(".look > .said [role=status]").textContent === "Class 1"`)
	s.IsKept()
	s.Eval(`globalThis.said = [];
		for (const region of document.querySelectorAll("[aria-live], [role=status], [role=alert]")) {
			new MutationObserver(() => said.push(region.className + ": " + region.innerText)).observe(region, { subtree: true, childList: true, characterData: true });
		}
		globalThis.drawn = 0;
		new MutationObserver(() => drawn++).observe(document.querySelector(".answer"), { subtree: true, childList: true, characterData: true, attributes: true });`)
	s.WaitFor("drawn > 20")
	if said := browsertest.Eval[[]string](s.Browser, "said"); len(said) > 2 { // the project may be saved once more
		t.Errorf("%d things were said while nothing happened: %q", len(said), said)
	}
}

// A screen reader announces the class of a picture once, without its probability, and then the class of
// the next picture.
func TestTheAnswerIsAnnounced(t *testing.T) {
	s := open(t, browsertest.Options{})
	s.teachDiscs()
	s.WaitFor(`document.querySelector(".look > .said [role=status]").textContent === "Class 2"`)
	s.Eval(`globalThis.said = [];
		const region = document.querySelector(".look > .said [role=status]");
		new MutationObserver(() => said.push(region.textContent)).observe(region, { subtree: true, childList: true, characterData: true });`)
	for i := range 2 {
		s.Upload("#test-picture", studiotest.PictureFile(t, "test.jpg", studiotest.Blue))
		s.WaitFor(fmt.Sprintf(`said.length > %d`, 2*i+1))
	}
	if said := browsertest.Eval[[]string](s.Browser, "said"); !slices.Equal(said, []string{"", "Class 2", "", "Class 2"}) {
		t.Errorf("said is %q", said)
	}
	s.Quiet()
}

// Changes by teaching are announced once, at the end; progress and the texts of panels are not.
func TestTeachingIsAnnounced(t *testing.T) {
	s := open(t, browsertest.Options{})
	s.Ready()
	s.Eval(`globalThis.said = [];
		const listen = (region) => new MutationObserver(() => region.textContent && getComputedStyle(region).display !== "none" && said.push(region.textContent))
			.observe(region, { subtree: true, childList: true, characterData: true });
		const regions = "[aria-live]:not([aria-live=off]), [role=status], [role=alert]";
		document.querySelectorAll(regions).forEach(listen);
		new MutationObserver((changes) => changes.flatMap((c) => [...c.addedNodes]).forEach((node) => node.querySelectorAll?.(regions).forEach((region) => {
			if (region.textContent) said.push(region.textContent);
			listen(region);
		}))).observe(document.body, { subtree: true, childList: true });`)
	red, blue := studiotest.PictureFile(t, "red.jpg", studiotest.Red), studiotest.PictureFile(t, "blue.jpg", studiotest.Blue)
	for _, step := range []struct {
		want string
		do   func()
	}{
		{"Class 1: 4 examples", func() { s.Give(1, red, red, red, red) }},
		{"Class 2: 3 examples", func() { s.Give(2, blue, blue, blue) }},
		{"Class 2: 0 examples", func() { s.Click("#undo") }},
		{"Class 2: 3 examples", func() { s.Click("#redo") }},
	} {
		s.Eval(`said.length = 0`)
		step.do()
		s.WaitFor(`said.length > 0 && !document.querySelector(".improve .busy")`)
		s.IsKept()
		if said := browsertest.Eval[[]string](s.Browser, "said"); !slices.Equal(said, []string{step.want}) {
			t.Errorf("said is %q, want %q", said, step.want)
		}
	}
	s.Quiet()
}

// A button keeps the focus when it has done all that it can. If it disappears, an element beside it gets the
// focus.
func TestTheFocusIsNotLost(t *testing.T) {
	s := open(t, browsertest.Options{})
	s.teachDiscs()
	s.WaitFor(`document.querySelector("#show-growth")`)
	focused := func(want, after string) {
		t.Helper()
		s.Calm()
		if got := browsertest.Eval[string](s.Browser, "document.activeElement.id"); got != want {
			t.Errorf("after %s the focus is on %q, want %q", after, got, want)
		}
	}
	press := func(button, then, want string) {
		t.Helper()
		s.Focus(button)
		s.Keys("\r")
		s.WaitFor(then)
		focused(want, button)
	}
	for _, panel := range []string{"show-why", "show-then", "show-growth", "show-improve"} {
		fold := "#" + panel
		for range 2 {
			before := browsertest.Eval[string](s.Browser, fmt.Sprintf("document.querySelector(%q).ariaExpanded", fold))
			press(fold, fmt.Sprintf("document.querySelector(%q).ariaExpanded !== %q", fold, before), panel)
		}
	}
	s.Click("#show-then")
	s.Click(".rule .show")
	s.Upload(".rule .picture-file", studiotest.PictureFile(t, "own.jpg", studiotest.Red))
	s.WaitFor(`document.querySelector(".rule .no-picture")`)
	s.Eval(`document.querySelector(".rule").id = "first-rule"`)
	press(".rule .no-picture", `!document.querySelector(".rule .no-picture")`, "first-rule")
	s.Drop(studiotest.Card(2), studiotest.PictureFile(t, "green.jpg", studiotest.Green))
	s.WaitCount(studiotest.Card(2)+" .thumbnail", 2)
	s.Focus(studiotest.Card(2) + " .thumbnail:nth-child(2) button")
	s.Do(chromedp.KeyEvent("z", chromedp.KeyModifiers(2)))
	s.WaitFor(`document.querySelector(".cards .thumbnail:focus")`)
	s.Click(studiotest.Card(2) + " .remove")
	press(".message > .quiet", `!document.querySelector(".message")`, "messages")
	s.WaitFor(`document.querySelector("#undo").ariaDisabled === "false"`)
	s.Focus("#undo")
	for range 20 {
		s.Keys("\r")
	}
	press("#undo", `document.querySelector("#undo").ariaDisabled === "true"`, "undo")
	s.OpenDialog("#open-projects", "#projects")
	s.Focus("#save-file")
	s.Keys("\r")
	s.Saved(".deepemd") // the button does nothing while it is written
	focused("save-file", "saving")
	s.Focus("#project-name")
	s.Keys("\r")
	focused("save-file", "naming the project")
	s.OpenDialog("#open-lessons", "#lessons")
	press(`[data-lesson="hands"] .begin`, `document.querySelector("#lesson-title:focus")`, "lesson-title")
	s.Quiet()
}

// Canvases have a role for which screen readers pass on arrow keys, and progress is shown by progress bars.
func TestRoles(t *testing.T) {
	s := open(t, browsertest.Options{})
	s.WaitFor(`document.querySelector(".engine [role=progressbar], .engine.ready")`)
	s.teachDiscs()
	s.Click("#closer")
	for _, canvas := range []string{"#match", "#pairs"} {
		s.WaitFor(fmt.Sprintf(`document.querySelector("%s[tabindex='0'][role=application]")`, canvas))
	}
	if headings := browsertest.Eval[string](s.Browser, `[...document.querySelectorAll("main h2, main h3")].slice(0, 5).map((h) => h.localName + " " + h.innerText).join("; ")`); headings != "h2 Camera and answer; h2 Classes; h3 Class 1; h3 Class 2; h3 None of these" {
		t.Errorf("the first headings are %s", headings)
	}
	s.Quiet()
}

// Names contain the visible text, which voice control uses, in every language; no two buttons of
// the classes and examples have the same name.
func TestNamesContainTheVisibleText(t *testing.T) {
	s := open(t, browsertest.Options{})
	s.teachDiscs()
	s.Drop(studiotest.Card(1), studiotest.PictureFile(t, "green.jpg", studiotest.Green))
	s.WaitCount(".cards .thumbnail", 3)
	s.OpenDialog("#open-projects", "#projects")
	s.CloseDialog("#projects")
	s.OpenDialog("#open-settings", "#settings")
	for _, language := range texts.Languages() {
		s.Click(fmt.Sprintf(`#settings[open] input[name=language][value=%s]`, language.Code))
		s.WaitFor(fmt.Sprintf(`document.querySelector("#settings-title").innerText === %q`, texts.In(language.Code).Settings.Title))
		if found := browsertest.Eval[[]string](s.Browser, `(() => {
			const plain = (text) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ").trim();
			return [...document.querySelectorAll(":is(button, a, input, select)[aria-label]")].map((e) => [e.matches("input, select") ? e.closest("label") : e, e.ariaLabel])
				.filter(([seen, name]) => seen && !plain(name).includes(plain(seen.innerText))).map(([seen, name]) => seen.innerText + " is called " + name);
		})()`); len(found) > 0 {
			t.Errorf("%s: %q", language.Code, found)
		}
	}
	if same := browsertest.Eval[[]string](s.Browser, `(() => {
		const names = [...document.querySelectorAll(".card button")].map((b) => b.ariaLabel ?? b.innerText);
		return names.filter((name, i) => names.indexOf(name) !== i);
	})()`); len(same) > 0 {
		t.Errorf("several buttons are called %q", same)
	}
	s.Quiet()
}

// Where the system replaces colors, states and values are still visible.
func TestForcedColors(t *testing.T) {
	s := open(t, browsertest.Options{})
	s.teachDiscs()
	s.OpenDialog("#open-settings", "#settings")
	browsertest.Call(s.Browser, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "forced-colors", Value: "active"}},
	})
	for _, differ := range [][2]string{
		{"#see", "#hear"}, {".bar.best .fill > div", ".bar.best .fill"}, {".cards .swatch", ".cards .card"}, {".modes input:checked + .mode", ".modes input:not(:checked) + .mode"},
	} {
		color := func(selector string) string {
			return browsertest.Eval[string](s.Browser, fmt.Sprintf("getComputedStyle(document.querySelector(%q)).backgroundColor", selector))
		}
		if a, b := color(differ[0]), color(differ[1]); a == b {
			t.Errorf("%s and %s are both %s", differ[0], differ[1], a)
		}
	}
	if !s.Is(`getComputedStyle(document.querySelector(".thumbnail button")).opacity === "0"`) {
		t.Error("a button covers a part of each example")
	}
	s.Quiet()
}

// teachDiscs drops a red disc on the first class, a blue disc on the second, and a blue disc on the
// stage, which is recognized.
func (s *studio) teachDiscs() {
	s.T.Helper()
	for i, c := range []color.RGBA{studiotest.Red, studiotest.Blue} {
		s.Drop(studiotest.Card(i+1), studiotest.PictureFile(s.T, fmt.Sprintf("%d.jpg", i), c))
	}
	s.WaitCount(".cards .thumbnail", 2)
	s.Drop(".view", studiotest.PictureFile(s.T, "test.jpg", studiotest.Blue))
	s.WaitFor(`document.querySelector(".caption")?.innerText.includes("2")`)
}
