//go:build !js

package share_test

import (
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/web/internal/studiotest"
)

// withDiscs adds two discs to an open studio.
func withDiscs(t *testing.T, s *studiotest.Studio) *studiotest.Studio {
	t.Helper()
	s.Ready()
	s.Name(1, "red disc")
	s.Name(2, "blue disc")
	s.Drop(studiotest.Card(1), studiotest.PictureFile(t, "a.jpg", studiotest.Red))
	s.Drop(studiotest.Card(2), studiotest.PictureFile(t, "b.jpg", studiotest.Blue))
	s.WaitCount(".thumbnail", 2)
	s.IsKept()
	return s
}

// embedding opens the dialog with the code.
func embedding(s *studiotest.Studio) {
	s.T.Helper()
	s.OpenDialog("#open-projects", "#projects")
	s.Click("#embed-project")
	s.WaitFor(`document.querySelector("#embedding[open]") && !document.querySelector("#projects[open]")`)
}

// address types an address.
func address(s *studiotest.Studio, field, text string) {
	s.T.Helper()
	s.Click(field)
	s.Eval(fmt.Sprintf("document.querySelector(%q).select()", field))
	s.Keys(text)
	s.WaitFor(fmt.Sprintf("document.querySelector(%q).value === %q", field, text))
}

// code returns the code of the dialog.
func code(s *studiotest.Studio) string {
	s.T.Helper()
	return browsertest.Eval[string](s.Browser, `document.querySelector("#embedding-code").value`)
}

// saved presses the button that saves the file, and moves the file to the address in the dialog.
func saved(s *studiotest.Studio, pages, ending string) {
	s.T.Helper()
	s.Click("#embedding-save")
	file := s.Saved(ending)
	data := require.Value(os.ReadFile(file))(s.T)
	name := filepath.Base(file)
	if said := s.Text("#embedding .steps"); !strings.Contains(said, "Save "+name) || !strings.Contains(said, "Upload "+name+" to "+s.Origin+"/pages/") {
		s.T.Errorf("the steps for %s are %q", name, said)
	}
	require.NoError(s.T, os.WriteFile(filepath.Join(pages, name), data, 0o600))
}

// The studio's code works on a page of another origin if the files are at the dialog's addresses:
// as a frame and as an element.
func TestPastedCodeWorks(t *testing.T) {
	pages := t.TempDir()
	origin := site(t, pages, true)
	s := withDiscs(t, studiotest.OpenAt(t, origin, browsertest.Options{Camera: studiotest.PlainFilm(t)}))
	embedding(s)
	saved(s, pages, ".html")
	frame := code(s)
	s.Click(`#embedding input[value="element"]`)
	s.WaitFor(`document.querySelector("#embedding-code").value.includes("<deep-emd")`)
	saved(s, pages, ".deepemd")
	element := code(s)
	s.Quiet()

	page := s.NewTab()
	page.Open(other(t, frame))
	page.WaitFor(`got.some((m) => m.type === "deepemd:ready")`)
	said := browsertest.Eval[message](page.Browser, fmt.Sprintf(`(async () => {
		frame().postMessage({ type: "deepemd:classify", id: 1, picture: await (await fetch("/blue.jpg")).blob() }, %q);
		return reply(1);
	})()`, origin))
	if said.Type != "deepemd:answer" || said.Scores[0].Label != "blue disc" {
		t.Errorf("the frame answers %+v", said)
	}
	clickInFrame(page, "#camera")
	frameUntil(page, `document.querySelector("video").videoWidth > 0 && document.querySelector(".caption:not([hidden])")`)
	page.Shot("pasted-frame")
	page.NoProblems()

	page = s.NewTab()
	page.Open(other(t, element+`<script>
		const events = [];
		for (const type of ["ready", "prediction", "error"]) document.querySelector("deep-emd").addEventListener(type, ({ detail }) => events.push([type, detail?.message ?? ""]));
	</script>`))
	page.WaitFor(`events.some(([type]) => type === "ready" || type === "error")`)
	if best := browsertest.Eval[string](page.Browser, `(async () => {
		const { scores } = await document.querySelector("deep-emd").classify(await (await fetch("/blue.jpg")).blob());
		return scores[0].label + " of " + scores.length;
	})()`); best != "blue disc of 2" {
		t.Errorf("the element answers %q", best)
	}
	page.Eval(`document.querySelector("deep-emd").start(); events.length = 0`)
	page.WaitFor(`events.filter(([type]) => type === "prediction").length > 3`)
	if got := browsertest.Eval[string](page.Browser, `JSON.stringify(events.filter(([type]) => type === "error"))`); got != "[]" {
		t.Errorf("the element reports %s", got)
	}
	page.Shot("pasted-element")
	page.NoProblems()
}

// The code for a project of sounds asks for the microphone.
func TestPastedSounds(t *testing.T) {
	pages := t.TempDir()
	origin := site(t, pages, true)
	s := studiotest.OpenAt(t, origin, browsertest.Options{})
	s.Hear()
	for i, digit := range []int{7, 0} {
		s.Give(i+1,
			studiotest.Recording(t, studiotest.Spoken(t, digit, "george", 0)), studiotest.Recording(t, studiotest.Spoken(t, digit, "theo", 0)))
		s.WaitCount(studiotest.Card(i+1)+" .thumbnail", 2)
	}
	s.Name(1, "Seven")
	s.Name(2, "Zero")
	s.IsKept()
	embedding(s)
	if got := code(s); !strings.Contains(got, `allow="microphone"`) {
		t.Errorf("the code of the frame is %s", got)
	}
	s.Click(`#embedding input[value="element"]`)
	saved(s, pages, ".deepemd")
	if got := code(s); !strings.Contains(got, `<deep-emd sound project="`+origin+`/pages/Project%201.deepemd"></deep-emd>`) {
		t.Errorf("the code is %s", got)
	}
	recording := require.Value(os.ReadFile(studiotest.Recording(t, studiotest.Spoken(t, 7, "jackson", 0))))(t)
	page := s.NewTab()
	page.Open(other(t, code(s)))
	if best := browsertest.Eval[string](page.Browser, fmt.Sprintf(`(async () => {
		const element = document.querySelector("deep-emd");
		await customElements.whenDefined("deep-emd");
		await element.engine;
		const bytes = Uint8Array.from(atob(%q), (c) => c.charCodeAt(0));
		const { scores } = await element.classify(new Blob([bytes], { type: "audio/wav" }));
		return scores[0].label + " of " + scores.length;
	})()`, base64.StdEncoding.EncodeToString(recording))); best != "Seven of 2" {
		t.Errorf("the element answers %q", best)
	}
	page.NoProblems()
	s.Quiet()
}

// The dialog guesses the address of the file, reports problems of an address, and keeps the folder
// for the next file.
func TestEmbeddingDialog(t *testing.T) {
	origin := site(t, t.TempDir(), false)
	s := withDiscs(t, studiotest.OpenAt(t, origin, browsertest.Options{}))
	embedding(s)
	value := func(field string) string {
		return browsertest.Eval[string](s.Browser, fmt.Sprintf("document.querySelector(%q).value", field))
	}
	s.WaitFor(fmt.Sprintf("document.querySelector('#embedding-address').value === %q", origin+"/pages/Project%201.html"))
	if want := `<iframe src="` + origin + `/pages/Project%201.html" title="Project 1"`; !strings.HasPrefix(code(s), want) || !strings.Contains(code(s), `allow="camera"`) {
		t.Errorf("the code is %s", code(s))
	}
	const note = "#embedding-address-note"
	if got := s.Text(note); !strings.Contains(got, "this device only") {
		t.Errorf("of localhost the dialog says %q", got)
	}
	s.Shot("embedding")
	for _, c := range []struct{ address, says string }{
		{"cups.html", "full address"},
		{"https://example.org/", "ends in .html"},
		{"http://example.org/cups.html", "Use https"},
		{"https://example.org/a/cups.html", ""},
	} {
		address(s, "#embedding-address", c.address)
		wrong := c.says != "" && !strings.HasPrefix(c.address, "http:")
		s.WaitFor(fmt.Sprintf(`document.querySelector("#embedding-copy").disabled === %v`, wrong))
		if got := s.Text(note); !strings.Contains(got, c.says) || (c.says == "") != (got == "") {
			t.Errorf("of %s the dialog says %q, want something about %q", c.address, got, c.says)
		}
		if got := browsertest.Eval[string](s.Browser, `document.querySelector("#embedding-address").getAttribute("aria-invalid")`); got != fmt.Sprint(wrong) {
			t.Errorf("of %s aria-invalid is %q, want %v", c.address, got, wrong)
		}
		if c.says == "full address" {
			s.Shot("embedding-wrong")
		}
	}
	if got := s.Text("#embedding .steps"); !strings.Contains(got, "Upload Project 1.html to https://example.org/a/cups.html") {
		t.Errorf("the steps are %q", got)
	}
	s.Click(`#embedding input[value="element"]`)
	s.WaitFor(`document.querySelector("#embedding-program")`)
	if got := value("#embedding-address"); got != "https://example.org/a/Project%201.deepemd" {
		t.Errorf("the project's file is guessed at %q", got)
	}
	if got := value("#embedding-program"); got != origin+"/deepemd/element.js" {
		t.Errorf("the program is guessed at %q", got)
	}
	address(s, "#embedding-program", "https://example.org/deepemd/deepemd.js")
	s.WaitFor(`document.querySelector("#embedding-copy").disabled && document.querySelector("#embedding-program-note").innerText.includes("element.js")`)
	address(s, "#embedding-program", "https://example.org/deepemd/element.js")
	s.WaitFor(`!document.querySelector("#embedding-copy").disabled`)
	want := `<script type="module" src="https://example.org/deepemd/element.js"></script>` + "\n" + `<deep-emd camera project="https://example.org/a/Project%201.deepemd"></deep-emd>`
	if got := code(s); got != want {
		t.Errorf("the code is\n%s\nwant\n%s", got, want)
	}

	// By keyboard: an arrow chooses, Tab moves through the fields and out.
	s.Eval(`document.querySelector('#embedding input[value="element"]').focus()`)
	s.Keys(kb.ArrowLeft)
	s.WaitFor(`document.querySelector("#embedding-code").value.startsWith("<iframe")`)
	s.Keys(kb.Tab)
	if got := browsertest.Eval[string](s.Browser, `document.activeElement.id`); got != "embedding-address" {
		t.Errorf("after the choice comes %q", got)
	}
	s.Keys(kb.Escape)
	s.WaitFor(`!document.querySelector("#embedding[open]")`)

	if os.Getenv("DEEPEMD_SCREENSHOTS") != "" {
		s.Window(390, 844)
		embedding(s)
		s.Click(`#embedding input[value="element"]`)
		s.Shot("embedding-phone")
		s.Eval(`document.querySelector("#embedding").scrollTo(0, 9999)`)
		s.Shot("embedding-phone-below")
		s.Scheme("dark")
		s.Shot("embedding-phone-dark")
		s.Window(1280, 800)
		s.Shot("embedding-dark")
	}
	s.Quiet()
}

// The code is copied with the clipboard, otherwise with a command, otherwise by the user.
func TestCopying(t *testing.T) {
	s := withDiscs(t, studiotest.OpenAt(t, site(t, t.TempDir(), false), browsertest.Options{}, `
		window.allow = { clipboard: true, command: true };
		const write = navigator.clipboard.writeText.bind(navigator.clipboard);
		navigator.clipboard.writeText = (text) => (allow.clipboard ? write(text) : Promise.reject(new DOMException("Write permission denied.", "NotAllowedError")));
		const command = document.execCommand.bind(document);
		document.execCommand = (name) => allow.command && command(name);`))
	require.Value(chromedp.CallBrowser(s.Context(), browser.SetPermission, browser.SetPermissionParams{
		Origin: s.Origin, Permission: &browser.PermissionDescriptor{Name: "clipboard-read"}, Setting: browser.PermissionSettingGranted,
	}))(t)
	embedding(s)
	for _, c := range []struct {
		name, allow, says string
		copied            bool
	}{
		{"clipboard", "{ clipboard: true, command: false }", "Copied", true},
		{"command", "{ clipboard: false, command: true }", "Copied", true},
		{"neither", "{ clipboard: false, command: false }", "press Ctrl+C", false},
	} {
		address(s, "#embedding-address", "https://example.org/"+c.name+".html")
		s.WaitFor(`document.querySelector("#embedding-copied").innerText === ""`)
		s.Eval("window.allow = " + c.allow)
		s.WaitFor(fmt.Sprintf(`document.querySelector("#embedding-code").value.includes(%q) && document.querySelector("#embedding-address-note").innerText === ""`, c.name))
		s.Click("#embedding-copy")
		s.WaitFor(fmt.Sprintf(`document.querySelector("#embedding-copied").innerText.includes(%q)`, c.says))
		if got := browsertest.Eval[string](s.Browser, `navigator.clipboard.readText()`); (got == code(s)) != c.copied {
			t.Errorf("%s: the clipboard has %q, want the code: %v", c.name, got, c.copied)
		}
	}
	if got := browsertest.Eval[string](s.Browser, `(() => {
		const field = document.activeElement;
		return field.value.slice(field.selectionStart, field.selectionEnd);
	})()`); got != code(s) {
		t.Errorf("selected is %q, want the code", got)
	}
	s.Shot("embedding-by-hand")
	s.Quiet()
}
