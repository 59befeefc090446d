//go:build !js

package studio_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/web/internal/studiotest"
	"github.com/deepemd/deepemd/web/internal/texts"
)

// site serves the studio, and other pages at the given addresses.
func site(t *testing.T, pages map[string]string) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/", studiotest.Site(t))
	for address, page := range pages {
		mux.HandleFunc(address, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprint(w, page)
		})
	}
	return mux
}

// speaking returns the flags of a browser in a language.
func speaking(language string) map[string]any {
	return map[string]any{"lang": language, "accept-lang": language}
}

// element is a page with two elements; the second is in German.
const element = `<!DOCTYPE html>%s<meta charset="utf-8"><title>Element</title><link rel="icon" href="data:,">
<script type="module" src="/deepemd/element.js"></script>
<deep-emd id="one" camera classes="taza, كوب"></deep-emd>
<div lang="de-AT"><deep-emd id="two" sound classes="ja, nein"></deep-emd></div>`

// In a Spanish browser the studio is Spanish, before and after its program runs. The settings offer
// Spanish and remember it. A shared page and the element are Spanish too.
func TestSpanish(t *testing.T) {
	es, de := texts.In("es"), texts.In("de")
	s := studiotest.OpenSite(t, site(t, map[string]string{
		"/element.html": fmt.Sprintf(element, `<html>`), "/english.html": fmt.Sprintf(element, `<html lang="en-GB">`),
	}), browsertest.Options{Flags: speaking("es-MX")})
	says := func(selector, want string) {
		t.Helper()
		s.WaitFor(fmt.Sprintf(`document.querySelector(%q)?.innerText.trim() === %q`, selector, want))
	}
	says("#start", es.Camera.Start)
	if got := browsertest.Eval[string](s.Browser, `document.documentElement.lang`); got != "es" {
		t.Errorf("the page is in %q", got)
	}
	s.Ready()
	says("#add-class", es.Class.Add)
	s.Window(1280, 800)
	s.OpenDialog("#open-projects", "#projects")
	if heights := browsertest.Eval[[]int](s.Browser, `[...new Set(Array.from(document.querySelectorAll("#projects .doing > *"), (b) => b.offsetHeight))]`); len(heights) != 1 {
		t.Errorf("the buttons of the projects have heights of %v px: want one line in each", heights)
	}
	s.CloseDialog("#projects")
	s.Drop(studiotest.Card(1), studiotest.TextFile(t, "carta.txt"))
	says(".message.warning strong", es.Notice.NotPicture("carta.txt"))
	says(".message.warning p", es.Reason("bad-image"))
	s.Click(".message.warning .quiet")
	s.Drop(studiotest.Card(1), studiotest.PictureFile(t, "a.jpg", studiotest.Red))
	s.Drop(studiotest.Card(2), studiotest.PictureFile(t, "b.jpg", studiotest.Blue))
	s.Drop(".view", studiotest.PictureFile(t, "c.jpg", studiotest.Blue))
	s.WaitFor(`document.querySelector(".caption")?.innerText.startsWith("Clase 2")`)
	s.Shot("studio-es")
	says("#kept.saved", es.Project.Saved)

	choose := func(code, title string) {
		t.Helper()
		s.OpenDialog("#open-settings", "#settings")
		s.Click(fmt.Sprintf(`input[name=language][value=%s]`, code))
		says("#settings-title", title)
		s.Click(`#settings header button`)
	}
	choose("de", de.Settings.Title)
	says("#start", de.Camera.Start)
	choose("es", es.Settings.Title)
	s.Eval("location.reload()")
	s.WaitFor(fmt.Sprintf(`document.querySelector("#start")?.innerText === %q && document.documentElement.lang === "es"`, es.Camera.Start))
	s.WaitFor(`document.querySelector(".studio:not([inert])")`)
	s.Ready()
	s.OpenDialog("#open-projects", "#projects")
	s.WaitFor(`document.querySelector("#projects[open] #share-page[aria-disabled=false]")`)
	s.Shot("projects-es")
	s.Click("#share-page")
	file := s.Saved(".html")
	s.Quiet()

	page := s.NewTab()
	page.Open("file://" + file)
	page.WaitFor(fmt.Sprintf(`document.querySelector(".status").innerText === %q`, "Todo listo"))
	page.Upload("#picture", studiotest.PictureFile(t, "d.jpg", studiotest.Red))
	page.WaitFor(`document.querySelector(".caption:not([hidden])")?.innerText.startsWith("Clase 1")`)
	if got := page.Text("#camera") + ", " + page.Text("#choose") + ", " + browsertest.Eval[string](page.Browser, `document.documentElement.lang`); got != "Encender la cámara, Elegir una imagen, es" {
		t.Errorf("the shared page says %q", got)
	}
	page.Shot("shared-es")
	page.NoProblems()

	button := func(id string) string {
		return fmt.Sprintf(`document.querySelector("#%s").shadowRoot.querySelector(".start").innerText.trim()`, id)
	}
	page.Open(s.Origin + "/element.html")
	page.WaitFor(fmt.Sprintf(`customElements.get("deep-emd") && %s === "Encender la cámara"`, button("one")))
	page.WaitFor(button("two") + ` === "Mikrofon starten"`)
	page.Eval(`document.querySelector("#two").lang = "es"`)
	page.WaitFor(button("two") + ` === "Encender el micrófono"`)
	page.Eval(`document.documentElement.lang = "de"`)
	page.WaitFor(button("one") + ` === "Kamera starten"`)
	page.Eval(`document.documentElement.lang = "fr"`) // no translation: the browser's language applies
	page.WaitFor(button("one") + ` === "Encender la cámara"`)
	page.Eval(`document.querySelector("#one").start().catch(() => {})`)
	page.WaitFor(`document.querySelector("#one").shadowRoot.querySelector("[part=message]").innerText.startsWith("No se encontró ninguna cámara")`)
	page.Shot("element-es")

	page.Open(s.Origin + "/english.html")
	page.WaitFor(fmt.Sprintf(`customElements.get("deep-emd") && %s === "Start camera"`, button("one")))
}
