//go:build !js

package studio_test

import (
	"testing"

	"github.com/chromedp/cdproto/emulation"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/web/internal/studiotest"
)

// A dark page is printed in light colors, with the project, the answer and the tables, and without controls.
func TestPaper(t *testing.T) {
	s := open(t, browsertest.Options{})
	s.Ready()
	s.Give(1, studiotest.PictureFile(t, "red.jpg", studiotest.Red), studiotest.PictureFile(t, "dark.jpg", studiotest.Red))
	s.Give(2, studiotest.PictureFile(t, "blue.jpg", studiotest.Blue), studiotest.PictureFile(t, "sea.jpg", studiotest.Blue))
	s.WaitFor(`document.querySelector(".confusion td button")`)
	browsertest.Call(s.Browser, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Media: "print", Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}},
	})
	s.WaitFor(`document.documentElement.dataset.theme === "dark"`)
	for expression, want := range map[string]string{
		`getComputedStyle(document.querySelector(".card")).backgroundColor`:                                                                      "rgb(255, 255, 255)",
		`[...document.querySelectorAll("button, .file")].filter((e) => e.checkVisibility() && !e.closest("td")).map((e) => e.id).join()`:         "open-projects,see",
		`String(document.querySelector(".confusion td button").checkVisibility() && document.querySelector(".thumbnail img").checkVisibility())`: "true",
	} {
		if got := browsertest.Eval[string](s.Browser, expression); got != want {
			t.Errorf("%s is %q, want %q", expression, got, want)
		}
	}
	s.Quiet()
}
