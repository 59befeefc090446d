//go:build !js

package share_test

import (
	"testing"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/web/internal/studiotest"
	"github.com/deepemd/deepemd/web/internal/texts"
)

// sheet replaces the system's share sheet. It rejects a number of calls without a click, then
// a number as the user's refusal.
const sheet = `
	const sheet = (globalThis.sheet = { refusals: 0, canceled: 0, got: [] });
	navigator.canShare = ({ files }) => files.every((f) => f.name.endsWith(".html") && f.type === "text/html");
	navigator.share = async ({ files, title }) => {
		if (sheet.refusals-- > 0) throw new DOMException("no click", "NotAllowedError");
		if (sheet.canceled-- > 0) throw new DOMException("closed", "AbortError");
		sheet.got.push({ title, name: files[0].name, page: await files[0].text() });
	};`

// The page goes to the share sheet, immediately or after another click if the browser requires one.
// Closing the sheet is not an error.
func TestShareSheet(t *testing.T) {
	words := &texts.In("en").Project
	s := withDiscs(t, studiotest.Open(t, browsertest.Options{}, sheet))
	send := func() {
		t.Helper()
		s.OpenDialog("#open-projects", "#projects")
		s.WaitFor(`document.querySelector("#projects[open] #send-page[aria-disabled=false]")`)
		s.Shot("sharing-dialog")
		s.Click("#send-page")
		s.WaitFor(`!document.querySelector("#projects[open]")`)
	}
	send()
	s.WaitFor(`sheet.got.length === 1`)
	const complete = `(({ title, name, page }) => title === "Project 1" && name === "Project 1.html" && ["engine", "weights", "project"].every((id) => page.includes("id=\"part-" + id + "\"")))(sheet.got.at(-1))`
	if !browsertest.Eval[bool](s.Browser, complete) {
		t.Error("what was handed over is not the page")
	}
	if n := s.Count(".message"); n != 0 {
		t.Errorf("the page says %q", s.Text(".message"))
	}

	s.Eval(`sheet.refusals = 1`)
	send()
	s.WaitFor(`document.querySelector(".message[data-key=project]")`)
	s.Shot("sharing-ready")
	if got := s.Text(".message button.plain"); got != words.SendNow {
		t.Errorf("the button says %q", got)
	}
	s.Click(".message button.plain")
	s.WaitFor(`sheet.got.length === 2 && !document.querySelector(".message")`)
	if !browsertest.Eval[bool](s.Browser, complete) {
		t.Error("what waited for a click is not the page")
	}

	s.Eval(`Object.assign(sheet, { refusals: 0, canceled: 1 })`)
	send()
	s.WaitFor(`sheet.canceled === 0`)
	s.OpenDialog("#open-projects", "#projects")
	s.WaitFor(`document.querySelector("#projects[open] #send-page[aria-disabled=false]")`)
	if n := s.Count(".message"); n != 0 {
		t.Errorf("after the sheet was closed the page says %q", s.Text(".message"))
	}
	s.Quiet()
}
