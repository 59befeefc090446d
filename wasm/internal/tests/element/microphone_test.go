//go:build !js

package element_test

import (
	"testing"

	"github.com/deepemd/deepemd/internal/browsertest"
)

// If the browser does not start listening, like Firefox without a sound output, the element shows the
// remedy.
func TestElementWhereNobodyListens(t *testing.T) {
	_, b := newElement(t, `<deep-emd sound classes="beep"></deep-emd>`)
	browsertest.Eval[any](b, `(() => {
		AudioContext.prototype.resume = () => new Promise(() => {});
		element.start().catch((error) => (window.refused = error));
	})()`)
	b.WaitFor(`window.refused`)
	if got := browsertest.Eval[string](b, `refused.code + " " + refused.word + " " + refused.message.includes("headphones")`); got != "unsupported microphoneLate true" {
		t.Errorf("it fails with %s", got)
	}
	b.WaitFor(`shadow.textContent.includes("connect speakers or headphones")`)
	browsertest.Eval[any](b, `element.stop()`)
}

// A click of a screen reader, which cannot hold a button, teaches the next sound.
func TestElementTakesTheNextSound(t *testing.T) {
	_, b := newElement(t, `<deep-emd sound classes="beep, hum"></deep-emd>`)
	browsertest.Eval[any](b, `element.start()`)
	b.WaitFor(`!row("beep").querySelector("button").disabled`)
	// Chromium's own microphone beeps every second.
	b.Eval(`row("hum").querySelector("button").click(); row("beep").querySelector("button").click()`)
	b.WaitFor(`row("hum").querySelector("button").ariaPressed === "false" && row("beep").querySelector("button").ariaPressed === "true"`)
	b.WaitFor(`count("beep") === 1 && row("beep").querySelector("button").ariaPressed === "false"`)
	b.WaitFor(`events.filter((e) => e.type === "prediction").length > 20`)
	if got := browsertest.Eval[string](b, `count("beep") + " " + count("hum")`); got != "1 0" {
		t.Errorf("examples %s, want 1 0", got)
	}
	browsertest.Eval[any](b, `element.stop()`)
	b.NoProblems()
}
