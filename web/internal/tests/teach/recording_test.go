//go:build !js

package teach_test

import (
	"testing"

	"github.com/chromedp/cdproto/input"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/web/internal/studiotest"
)

// listening records the frequencies of oscillators, in hertz.
const listening = `
	globalThis.tones = [];
	const start = OscillatorNode.prototype.start;
	OscillatorNode.prototype.start = function (...when) {
		tones.push(Math.round(this.frequency.value));
		return start.apply(this, when);
	};`

// Hands-free, a click counts down, takes examples for a while and beeps. The keyboard works too. The
// settings are kept for the next visit.
func TestRecordingWithoutAHand(t *testing.T) {
	s := open(t, browsertest.Options{Camera: studiotest.PlainFilm(t)}, studiotest.Spy, listening)
	s.Ready()
	s.startCamera()
	s.OpenDialog("#open-recording", "#recording")
	s.choose("recording-how", "hands-free")
	s.choose("recording-countdown", "3")
	s.choose("recording-duration", "2")
	s.choose("recording-rate", "15")
	s.Shot("recording-settings")
	s.Key(input.DispatchKeyEventTypeKeyDown, "Escape", "Escape", 27)
	s.WaitFor(`!document.querySelector("#recording[open]") && document.activeElement.id === "open-recording"`)

	s.Click(studiotest.Card(1) + " .capture")
	s.WaitFor(`document.querySelector(".countdown .seconds")?.innerText === "2"`)
	s.Shot("countdown")
	if got := s.Text(studiotest.Card(1) + " .capture"); got != "Stop" {
		t.Errorf("the button says %q", got)
	}
	if got := s.Count(".thumbnail"); got != 0 {
		t.Errorf("%d examples in the countdown", got)
	}
	s.WaitFor(`document.querySelector(".chip.live")?.innerText.startsWith("Recording Class 1") && document.querySelector(".thumbnail")`)
	s.Shot("recording")
	s.WaitFor(`document.querySelector(".chip:not(.live)")?.innerText.startsWith("Class 1: ") && !document.querySelector(".card.held")`)
	if got := browsertest.Eval[[]int](s.Browser, "tones"); len(got) != 2 || got[0] != 880 || got[1] != 523 {
		t.Errorf("heard tones of %v Hz, want one at the start and a lower one at the end", got)
	}
	if got := browsertest.Eval[string](s.Browser, `document.querySelector(".countdown [role=status]").innerText`); got == "" {
		t.Error("what came of it is not read out")
	}
	s.WaitCount(".chip", 0)

	s.Focus(studiotest.Card(2) + " .capture")
	s.Keys(" ")
	s.WaitFor(`document.querySelector(".countdown .seconds")`)
	s.Keys(" ")
	s.WaitFor(`!document.querySelector(".countdown .seconds") && !document.querySelector(".card.held")`)
	if got := s.Count(studiotest.Card(2) + " .thumbnail"); got != 0 {
		t.Errorf("%d examples of a recording that was stopped in its countdown", got)
	}
	s.IsKept()
	s.Revisit()
	s.Click("#start")
	s.OpenDialog("#open-recording", "#recording")
	if got := browsertest.Eval[[]string](s.Browser, `Array.from(document.querySelectorAll("#recording input:checked"), (input) => input.value)`); len(got) != 5 ||
		got[0] != "hands-free" || got[1] != "3" || got[2] != "2" || got[4] != "15" {
		t.Errorf("after a reload the settings are %v", got)
	}
	s.Quiet()
}

// One button next to the camera teaches the empty scene after a countdown: images like it are
// unknown then. A notice shows the examples and undoes them.
func TestEmptySceneByOneButton(t *testing.T) {
	s := open(t, browsertest.Options{Camera: quarters(t)}, studiotest.Spy)
	s.Ready()
	s.Drop(studiotest.Card(1), studiotest.PictureFile(t, "red.jpg", studiotest.Red))
	s.Drop(studiotest.Card(2), studiotest.PictureFile(t, "blue.jpg", studiotest.Blue))
	s.WaitCount(".cards .thumbnail", 2)
	s.startCamera()
	s.Click("#empty-scene")
	s.WaitFor(`document.querySelector("#empty-scene[aria-pressed=true]") && document.querySelector(".countdown .seconds")`)
	s.Shot("empty-scene-countdown")
	s.WaitFor(`document.querySelector("#empty-scene[aria-pressed=false]")`)
	s.WaitFor(`document.querySelectorAll(".card.nothing .thumbnail").length >= 1 && document.querySelector(".message[data-key=undo]").innerText.startsWith("None of these")`)
	s.WaitFor(`document.querySelector(".caption.stranger") && document.querySelector(".answer.stranger")`)
	s.WaitFor(`Array.from(document.querySelectorAll(".message .example-picture")).filter((picture) => picture.naturalWidth > 0).length === document.querySelectorAll(".card.nothing .thumbnail").length`)
	s.Shot("empty-scene")
	s.Phone(390, 844)
	s.Shot("empty-scene-phone")
	s.Click(".message[data-key=undo] .plain")
	s.WaitCount(".card.nothing .thumbnail", 0)
	s.WaitCount(".message", 0)
	s.Quiet()
}

// choose clicks a radio button.
func (s *studio) choose(name, value string) {
	s.T.Helper()
	s.Click(`input[name="` + name + `"][value="` + value + `"]`)
	s.WaitFor(`document.querySelector('input[name="` + name + `"][value="` + value + `"]').checked`)
}
