//go:build !js

package teach_test

import (
	"fmt"
	"testing"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/web/internal/studiotest"
)

// Pasted pictures are dropped on the class below the pointer, on the class with the keyboard's focus, or on the stage. A field
// takes the text of a clipboard that has both.
func TestPaste(t *testing.T) {
	s := open(t, browsertest.Options{})
	s.Ready()
	paste := func(text string) {
		t.Helper()
		s.Eval(fmt.Sprintf(`(async () => {
			const canvas = new OffscreenCanvas(64, 64), context = canvas.getContext("2d");
			context.fillStyle = "hsl(" + (globalThis.turn = (globalThis.turn ?? 0) + 60) + " 90%% 50%%)";
			context.arc(32, 32, 20, 0, 7);
			context.fill();
			const clipboardData = new DataTransfer(), text = %q;
			clipboardData.items.add(new File([await canvas.convertToBlob()], "image.png", { type: "image/png" }));
			if (text) clipboardData.setData("text/plain", text);
			document.activeElement.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
		})()`, text))
	}
	has := func(first, second int) {
		t.Helper()
		s.WaitCount(studiotest.Card(1)+" .thumbnail", first)
		s.WaitCount(studiotest.Card(2)+" .thumbnail", second)
	}
	over := func(selector string) {
		t.Helper()
		s.Hover(s.Center(selector))
		s.WaitFor(fmt.Sprintf(`document.querySelector(%q).matches(":hover")`, selector))
	}
	over(studiotest.Card(2))
	paste("")
	has(0, 1)
	s.Focus(studiotest.Card(1) + " .name")
	paste("")
	has(1, 1)
	paste("a word, and a picture of it")
	s.OpenDialog("#open-projects", "#projects")
	paste("")
	s.CloseDialog("#projects")
	s.Eval(`document.activeElement.blur()`)
	over("h1")
	paste("")
	s.WaitFor(`document.querySelector("#view .picture:not(.hidden)")`)
	has(1, 1)
	// A link, such as a picture's in another page, is not taken without a word.
	for _, target := range []string{studiotest.Card(1), ".trial"} {
		s.WaitFor(fmt.Sprintf(`document.querySelector(%q) || document.querySelector("#show-improve[aria-expanded=false]")?.click()`, target))
		s.Eval(fmt.Sprintf(`document.querySelector(".message .quiet")?.click();
			const dataTransfer = new DataTransfer();
			dataTransfer.setData("text/uri-list", "https://example.org/cup.png");
			document.querySelector(%q).dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }))`, target))
		s.WaitFor(`new Promise((done) => setTimeout(done, 300, true))`) // another message would replace it
		s.WaitFor(`document.querySelector(".message")?.innerText.includes("Save it on this device first")`)
	}
	s.Quiet()
}
