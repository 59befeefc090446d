//go:build !js

package studio_test

import (
	"image/color"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/web/internal/studiotest"
)

// Frequent updates change as little as possible: an answer its numbers, an example its card. No
// image is encoded or copied to another process, and no video frame redraws the page.
func TestTheRestOfThePageIsCalm(t *testing.T) {
	s := open(t, browsertest.Options{Camera: studiotest.DiscFilm(t, 5, studiotest.Green, studiotest.Blue)})
	s.Ready()
	for class, kind := range []color.RGBA{studiotest.Green, studiotest.Blue} {
		s.Drop(studiotest.Card(class+1), studiotest.PictureFile(t, "a.jpg", kind))
	}
	s.WaitCount(".thumbnail", 2)
	s.Click("#start")
	s.WaitFor(`document.querySelectorAll(".bar:not(.unknown)").length === 2`)
	s.IsKept()
	s.Eval(watched)

	// The latest examples may still be in the queue.
	s.WaitFor(`(calm.end?.(), calm.begin(".bars li, .speed, .caption, .ring, .said, .why, dialog"), new Promise((done) => {
		const until = setInterval(() => calm.asked >= 10 && (clearInterval(until), done(calm.others() === 0)), 20);
	}))`)
	s.Eval(`calm.end()`)
	s.Eval(`calm.begin(".bars li, .speed, .caption, .ring, .said, .why, dialog")`)
	s.WaitFor(`calm.asked >= 30`)
	if got := browsertest.Eval[[]string](s.Browser, "calm.end()"); len(got) > 0 {
		t.Errorf("while answers come, other things change: %s", strings.Join(got, "\n"))
	}
	if got := browsertest.Eval[int](s.Browser, `calm.framed - calm.asked`); got > 2 {
		t.Errorf("for %d frames more than were looked at the page is drawn", got)
	}

	s.Eval(`calm.begin(".answer, .caption, .ring, .said, .why, .card[data-class='" + document.querySelector(".card").dataset.class + "'], .project, .guide, dialog, .then, .improve")`)
	s.Hold(1, 6)
	s.IsKept()
	if got := browsertest.Eval[[]string](s.Browser, "calm.end()"); len(got) > 0 {
		t.Errorf("while examples come, other things change: %s", strings.Join(got, "\n"))
	}
	if got := browsertest.Eval[[]string](s.Browser, "calm.encoded"); len(got) > 0 {
		t.Errorf("for pictures the page called %q", got)
	}
	s.Quiet()
}

// watched makes a global object that records changes on the page.
const watched = `(() => {
	const calm = globalThis.calm = { asked: 0, framed: 0, encoded: [] };
	const spy = (prototype, name, note) => {
		const before = prototype[name];
		prototype[name] = function (...given) { note(...given); return before.apply(this, given); };
	};
	spy(Worker.prototype, "postMessage", (message) => message?.type === "classify" && calm.asked++);
	spy(HTMLVideoElement.prototype, "requestVideoFrameCallback", () => calm.framed++);
	for (const [prototype, name] of [[HTMLCanvasElement.prototype, "toBlob"], [HTMLCanvasElement.prototype, "toDataURL"], [OffscreenCanvas.prototype, "convertToBlob"], [URL, "createObjectURL"]]) {
		spy(prototype, name, () => calm.encoded.push(name));
	}
	let others, observer;
	calm.begin = (expected) => {
		calm.asked = calm.framed = 0;
		others = new Set();
		observer = new MutationObserver((records) => {
			for (const { target, type, attributeName } of records) {
				const element = target instanceof Element ? target : target.parentElement;
				if (!element || element.closest(expected)) continue;
						others.add(type + " " + (attributeName ?? "") + " of " + element.tagName + "#" + element.id + "." + element.className);
			}
		});
		observer.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
	};
	calm.others = () => others.size;
	calm.end = () => {
		observer?.disconnect();
		return [...(others ?? [])];
	};
})()`
