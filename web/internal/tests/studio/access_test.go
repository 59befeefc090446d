//go:build !js

package studio_test

import (
	"fmt"
	"image/color"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/web/internal/studiotest"
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
		"Add pictures to Class 1", "Delete this example of Class 1", "Name of the class", "Delete class Class 2", "Add a class",
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

// Screen readers announce changes of state and notices, but not the numbers of every frame.
func TestLiveRegionsDoNotChatter(t *testing.T) {
	s := open(t, browsertest.Options{Camera: studiotest.DiscFilm(t, 8, studiotest.Red)})
	s.teachDiscs()
	s.StartCamera()
	s.WaitFor(`document.querySelector(".look > .said").textContent === "Class 1"`)
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
	s.WaitFor(`document.querySelector(".look > .said[role=status]").textContent === "Class 2"`)
	s.Eval(`globalThis.said = [];
		const region = document.querySelector(".look > .said");
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
