//go:build !js

package teach_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/chromedp/cdproto/input"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/web/internal/studiotest"
)

// files returns n image files.
func files(t *testing.T, n int) (paths []string) {
	t.Helper()
	for i := range n {
		paths = append(paths, studiotest.PictureFile(t, fmt.Sprintf("%d.jpg", i), studiotest.Red))
	}
	return paths
}

// press presses a key.
func (s *studio) press(key string, code int64) {
	s.T.Helper()
	s.Tap(key, code)
}

// examples returns the ids of the n-th class's examples.
func (s *studio) examples(class int) []string {
	s.T.Helper()
	return browsertest.Eval[[]string](s.Browser, fmt.Sprintf(`[...document.querySelectorAll(%q)].map((e) => e.dataset.example)`, studiotest.Card(class)+" .thumbnail"))
}

// at waits until an example has the focus.
func (s *studio) at(example string) {
	s.T.Helper()
	s.WaitFor(fmt.Sprintf(`document.activeElement.closest(".thumbnail")?.dataset.example === %q`, example))
}

// The examples of a class are one Tab stop. Arrow keys move between them, Delete removes one, and
// the focus is never lost.
func TestExamplesByKeyboard(t *testing.T) {
	s := open(t, browsertest.Options{})
	s.Ready()
	s.Drop(studiotest.Card(1), files(t, 20)...)
	s.WaitCount(".thumbnail", 20)
	if got := s.Count(`.thumbnail :is(button, img)[tabindex="0"]`); got != 1 {
		t.Errorf("the examples are %d stops of the Tab key, want 1", got)
	}
	columns := browsertest.Eval[int](s.Browser, `(() => { const tops = [...document.querySelectorAll(".thumbnail")].map((e) => e.offsetTop); return tops.filter((y) => y === tops[0]).length; })()`)
	if columns < 2 || columns >= 20 {
		t.Fatalf("%d columns", columns)
	}
	ids := s.examples(1)
	s.Eval(`document.querySelector(".thumbnail [tabindex='0']").focus()`)
	s.at(ids[19])
	s.press("Home", 36)
	s.at(ids[0])
	s.press("ArrowRight", 39)
	s.at(ids[1])
	s.press("ArrowDown", 40)
	s.at(ids[1+columns])
	s.press("ArrowLeft", 37)
	s.at(ids[columns])
	s.press("ArrowUp", 38)
	s.at(ids[0])
	s.press("ArrowUp", 38) // there is no row above
	s.at(ids[0])
	s.Shot("examples-keyboard")
	s.press("Tab", 9)
	s.Key(input.DispatchKeyEventTypeKeyDown, "Tab", "Tab", 9)
	s.WaitFor(`!document.activeElement.closest(".thumbnail")`)

	s.WaitFor(`(async () => { // the second Tab can still move the focus
		const stop = document.querySelector(".thumbnail [tabindex='0']");
		stop.focus();
		await new Promise((done) => setTimeout(done, 300));
		return document.activeElement === stop;
	})()`)
	s.at(ids[0])
	s.press("Delete", 46)
	s.WaitCount(".thumbnail", 19)
	s.at(ids[1])
	s.press("End", 35)
	s.at(ids[19])
	s.press("Delete", 46)
	s.WaitCount(".thumbnail", 18)
	s.at(ids[18])
	if got := s.examples(1); !slices.Equal(got, ids[1:19]) {
		t.Errorf("examples %q are left, want all but the first and the last", got)
	}

	s.Drop(studiotest.Card(2), files(t, 1)...)
	s.WaitCount(".thumbnail", 19)
	s.Eval(fmt.Sprintf(`document.querySelector(%q).focus()`, studiotest.Card(2)+" .thumbnail button"))
	s.press("Delete", 46)
	s.WaitCount(".thumbnail", 18)
	s.WaitFor(fmt.Sprintf(`document.activeElement === document.querySelector(%q)`, studiotest.Card(2)+" .capture"))
	s.Quiet()
}

// A tap on an image shows a button that removes it, large enough for a finger. One tap alone
// removes nothing, and a double tap removes one image.
func TestExamplesByTouch(t *testing.T) {
	s := open(t, browsertest.Options{})
	s.Phone(390, 844)
	s.Ready()
	s.Give(1, files(t, 20)...)
	s.WaitCount(".thumbnail", 20)
	ids := s.examples(1)
	const second = ".thumbnail:nth-child(18)"
	s.ScrollTo(second)
	tap := func() {
		x, y := s.corner(second)
		s.TouchAt(x, y)()
	}
	tap()
	s.at(ids[17])
	s.WaitFor(fmt.Sprintf(`getComputedStyle(document.querySelector(%q)).opacity === "1"`, second+" button"))
	s.Shot("examples-touch")
	if side := browsertest.Eval[float64](s.Browser, fmt.Sprintf(`document.querySelector(%q).getBoundingClientRect().width`, second+" button")); side < 44 {
		t.Errorf("the button that deletes is %.0f px wide, want 44", side)
	}
	tap()
	s.WaitCount(".thumbnail", 19)
	s.WaitFor(`!document.activeElement.closest(".thumbnail")`)
	tap()
	s.at(ids[18])
	if got := s.examples(1); len(got) != 19 || slices.Contains(got, ids[17]) {
		t.Errorf("examples %q are left, want all but %s", got, ids[17])
	}
	s.Quiet()
}

// corner returns a position near the upper right corner of an element.
func (s *studio) corner(selector string) (x, y float64) {
	s.T.Helper()
	at := browsertest.Eval[[]float64](s.Browser, fmt.Sprintf(
		`(() => { const r = document.querySelector(%q).getBoundingClientRect(); return [r.right - 16, r.top + 16]; })()`, selector))
	return at[0], at[1]
}
