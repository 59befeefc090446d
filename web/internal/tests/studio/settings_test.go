//go:build !js

package studio_test

import (
	"testing"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/web/internal/studiotest"
)

// Language and appearance change immediately, including visible notices, and are kept for the next
// visit.
func TestLanguageAndAppearanceAreChosenAndRemembered(t *testing.T) {
	s := open(t, browsertest.Options{})
	s.Ready()
	s.Click("#start") // no camera: the notice will be translated
	s.WaitFor(`document.querySelector(".invitation.problem")`)
	s.Name(1, "cup")
	s.OpenDialog("#open-settings", "#settings")
	s.Shot("settings")
	s.Click(`input[name=language][value=de]`)
	s.WaitFor(`document.querySelector("#settings-title").innerText === "Einstellungen"`)
	s.Click(`input[name=theme][value=dark]`)
	s.WaitFor(`getComputedStyle(document.body).backgroundColor === "rgb(17, 21, 27)"`)
	s.Shot("settings-dark")
	s.Click(`#settings header button`)
	s.WaitFor(`!document.querySelector("#settings").open && document.activeElement.id === "open-settings"`)

	german := map[string]string{
		"#start":                         "Kamera starten",
		".invitation.problem strong":     "Keine Kamera gefunden",
		studiotest.Card(1) + " .capture": "Zum Aufnehmen halten",
		"#add-class":                     "Klasse hinzufügen",
		".bars li:nth-child(1) .name":    "cup",
		".bars li:nth-child(2) .name":    "Klasse 2",
		".brand p":                       "Zeig der Seite ein paar Beispiele, und sie erkennt den Unterschied.",
	}
	for selector, want := range german {
		if got := s.Text(selector); got != want {
			t.Errorf("%s says %q, want %q", selector, got, want)
		}
	}

	s.Eval("location.reload()")
	// The shell has the right language and colors before the program runs.
	s.WaitFor(`document.querySelector("#start")?.innerText === "Kamera starten" && document.documentElement.lang === "de"`)
	s.WaitFor(`document.querySelector(".studio:not([inert])")`)
	s.OpenDialog("#open-settings", "#settings")
	if got := browsertest.Eval[string](s.Browser, `document.documentElement.dataset.theme + " " + document.querySelector("input[name=language]:checked").value`); got != "dark de" {
		t.Errorf("after a reload %q, want dark and de", got)
	}
	s.Quiet()
}

// A double click opens a dialog once, even if it is drawn then.
func TestDoubleClickOpensADialogOnce(t *testing.T) {
	s := open(t, browsertest.Options{})
	s.Ready()
	s.Eval(`globalThis.opened = 0; document.addEventListener("deepemd-opened", () => opened++, true)`)
	s.Eval(`const button = document.querySelector("#open-settings"); button.click(); button.click()`)
	s.WaitFor(`document.querySelector("#settings[open]")`)
	s.Drawn() // a second one would be open by then
	if n := browsertest.Eval[int](s.Browser, "opened"); n != 1 {
		t.Errorf("the dialog was opened %d times", n)
	}
	s.Quiet()
}
