//go:build !js

package studio_test

import (
	"fmt"
	"testing"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/web/internal/studiotest"
	"github.com/deepemd/deepemd/web/internal/texts"
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
		".drop-anywhere":                 "Ordner hier ablegen: Jeder Ordner darin wird eine Klasse",
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

// The second of two chosen languages stays though the first arrives later. A
// language that cannot be fetched is not shown as chosen.
func TestTheLastLanguageStays(t *testing.T) {
	s := open(t, browsertest.Options{}, `
		const online = globalThis.fetch;
		globalThis.arrived = false;
		globalThis.fetch = async (...of) => {
			if (String(of[0]).endsWith("en.txt") && arrived) throw new TypeError("offline");
			if (String(of[0]).endsWith("de.txt")) {
				await new Promise((resolve) => setTimeout(resolve, 500));
				setTimeout(() => (arrived = true), 200);
			}
			return online(...of);
		};`)
	s.Ready()
	s.OpenDialog("#open-settings", "#settings")
	s.Click(`input[name=language][value=de]`)
	s.Click(`input[name=language][value=es]`)
	s.WaitFor(`arrived`)
	spanish := fmt.Sprintf(`document.querySelector("#settings-title").innerText === %q && document.documentElement.lang === "es"`, texts.In("es").Settings.Title)
	s.WaitFor(spanish)
	s.Click(`input[name=language][value=en]`)
	s.WaitFor(`document.querySelector("input[name=language]:checked").value === "es" && ` + spanish)
	s.Quiet()
}

// An invalid temperature is reset to the current one.
func TestTheTemperatureInUseIsShown(t *testing.T) {
	s := open(t, browsertest.Options{})
	s.Ready()
	s.experts()
	temperature := func(set string) string {
		return browsertest.Eval[string](s.Browser, `(() => {
			const field = document.querySelector("#temperature");
			field.value = "`+set+`";
			field.dispatchEvent(new Event("change", { bubbles: true }));
			return field.value;
		})()`)
	}
	if got := temperature("7.5"); got != "7.5" {
		t.Errorf("7.5 becomes %q", got)
	}
	for _, set := range []string{"0", "-3", ""} {
		if got := temperature(set); got != "7.5" {
			t.Errorf("%q becomes %q, want the 7.5 in use", set, got)
		}
	}
	s.Quiet()
}

// Enter of an input method does not leave the field for the project's name.
func TestTheNameOfAProjectByAnInputMethod(t *testing.T) {
	s := open(t, browsertest.Options{})
	s.Ready()
	s.OpenDialog("#open-projects", "#projects")
	for _, composing := range []bool{true, false} {
		focused := browsertest.Eval[string](s.Browser, fmt.Sprintf(`(() => {
			const field = document.querySelector("#project-name");
			field.focus();
			for (const type of ["keydown", "keyup"]) {
				field.dispatchEvent(new KeyboardEvent(type, { key: "Enter", isComposing: %t, bubbles: true, cancelable: true }));
			}
			return document.activeElement.id;
		})()`, composing))
		if want := map[bool]string{true: "project-name", false: "save-file"}[composing]; focused != want {
			t.Errorf("composing %t: %q has the focus, want %q", composing, focused, want)
		}
	}
	s.Quiet()
}
