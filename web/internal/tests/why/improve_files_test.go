//go:build !js

package why_test

import (
	"fmt"
	"image/color"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/web/internal/studiotest"
)

// Classes and examples are added, renamed and removed; the others stay.
func TestClassesAndExamples(t *testing.T) {
	s := open(t, browsertest.Options{})
	s.Name(1, "red disc")
	s.Ready()
	s.Name(2, "blue disc")
	s.Click("#add-class")
	s.WaitCount(".cards .card", 3)
	s.WaitFor(`document.activeElement.value === "Class 3"`)
	s.Keys("green disc\r")
	for i, c := range []color.RGBA{studiotest.Red, studiotest.Blue, studiotest.Green} {
		var files []string
		for n := range 3 {
			files = append(files, studiotest.PictureFile(t, fmt.Sprintf("%d.jpg", n), c))
		}
		s.Drop(studiotest.Card(i+1), files...)
	}
	s.WaitCount(".thumbnail", 9)
	s.ShowsColor(studiotest.Card(2)+" .thumbnail", studiotest.Blue)

	s.Click(studiotest.Card(1) + " .thumbnail:nth-child(2) button")
	s.WaitCount(studiotest.Card(1)+" .thumbnail", 2)

	s.Click(studiotest.Card(2) + " .remove")
	s.WaitCount(".cards .card", 2)
	s.WaitFor(`document.activeElement.ariaLabel === "Delete class green disc"`)
	s.Shot("delete")
	s.Click(".message .plain")
	s.WaitCount(".cards .card", 3)
	s.WaitCount(".thumbnail", 8)
	s.WaitFor(`document.activeElement.matches(".cards .card:nth-child(2) .capture")`)
	s.Click(studiotest.Card(2) + " .remove")
	s.WaitCount(".cards .card", 2)
	s.Name(2, "   ")
	var names []string
	for n := range 2 {
		names = append(names, browsertest.Eval[string](s.Browser, fmt.Sprintf("document.querySelector(%q).value", studiotest.Card(n+1)+" input.name")))
	}
	if got := strings.Join(names, ", "); got != "red disc, green disc" {
		t.Errorf("the classes are %q, want the first and the third", got)
	}
	s.ShowsColor(studiotest.Card(2)+" .thumbnail", studiotest.Green)
	s.Drop(".view", studiotest.PictureFile(t, "test.jpg", studiotest.Green))
	s.WaitFor(`document.querySelector(".caption")?.innerText.includes("green disc")`)
	s.Quiet()
}
