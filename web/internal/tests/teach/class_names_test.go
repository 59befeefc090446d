//go:build !js

package teach_test

import (
	"fmt"
	"testing"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/web/internal/studiotest"
)

// Long, right-to-left and emoji names fit on cards and bars, and after a name the focus moves on.
func TestNames(t *testing.T) {
	names := []string{"Recyclable plastic bottles without their caps, rinsed", "תפוח ירוק", "🍎🍏 Äpfel", "مفتاح"}
	s := open(t, browsertest.Options{})
	s.Ready()
	for i, name := range names {
		if i >= 2 {
			s.Click("#add-class")
			s.WaitCount(".cards .card", i+1)
			s.WaitFor(fmt.Sprintf(`document.activeElement === document.querySelector(%q)`, studiotest.Card(i+1)+" input.name"))
		}
		s.Eval(fmt.Sprintf(`document.querySelector(%q).value = ""`, studiotest.Card(i+1)+" input.name"))
		s.Focus(studiotest.Card(i+1) + " input.name")
		s.Keys(name + "\r")
		s.WaitFor(fmt.Sprintf(`document.activeElement === document.querySelector(%q)`, studiotest.Card(i+1)+" .capture"))
		s.Drop(studiotest.Card(i+1), studiotest.PictureFile(t, "a.jpg", studiotest.Green))
	}
	s.WaitCount(".thumbnail", len(names))
	s.Drop(".view", studiotest.PictureFile(t, "test.jpg", studiotest.Blue))
	s.WaitFor(fmt.Sprintf(`document.querySelectorAll(".bar:not(.unknown)").length === %d`, len(names)))
	for _, width := range []int{1280, 390} {
		s.Window(width, 844)
		s.Shot(fmt.Sprintf("names-%d", width))
		if got := browsertest.Eval[int](s.Browser, "document.documentElement.scrollWidth"); got > width {
			wide := browsertest.Eval[[]string](s.Browser, `[...document.querySelectorAll("body *")].filter((e) => e.getBoundingClientRect().right > innerWidth).map((e) => e.tagName + " " + e.className + " " + e.getBoundingClientRect().right).slice(-6)`)
			t.Errorf("at %d px the page is %d px wide: %q", width, got, wide)
		}
		for i, name := range names {
			want := []string{"ltr", "rtl", "ltr", "rtl"}[i]
			got := browsertest.Eval[[]string](s.Browser, fmt.Sprintf(`[document.querySelector(%q), document.querySelector(%q)].flatMap((e) => [e.value ?? e.textContent, getComputedStyle(e).direction, getComputedStyle(e).textOverflow])`,
				studiotest.Card(i+1)+" input.name", fmt.Sprintf(".bars li:nth-child(%d) .name", i+1)))
			for k, wanted := range []string{name, want, "ellipsis", name, want, "ellipsis"} {
				if got[k] != wanted {
					t.Errorf("at %d px %q has %q, want %q", width, name, got[k], wanted)
				}
			}
		}
		if overlaps := browsertest.Eval[int](s.Browser, `[...document.querySelectorAll(".bar")].filter((b) => b.querySelector(".name").getBoundingClientRect().right > b.querySelector(".percent").getBoundingClientRect().left + 1).length`); overlaps > 0 {
			t.Errorf("at %d px %d names run into their percentages", width, overlaps)
		}
	}
	// Escape resets the name.
	field := studiotest.Card(1) + " input.name"
	s.Focus(field)
	s.Keys("x")
	s.press("Escape", 27)
	s.WaitFor(fmt.Sprintf(`document.activeElement.matches(".capture") && document.querySelector(%q).value === %q`, field, names[0]))
	s.Quiet()
}
