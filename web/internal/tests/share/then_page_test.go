//go:build !js

package share_test

import (
	"net/http"
	"testing"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/web/internal/studiotest"
)

// studio adds the helpers of this package to the studio.
type studio struct{ *studiotest.Studio }

// witness replaces the browser's speech and serial device, and records their calls and the
// sounds.
const witness = `
globalThis.witness = { spoken: [], lines: [], tones: 0, played: 0, baud: 0, unplug: null };
globalThis.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
Object.defineProperty(globalThis, "speechSynthesis", { value: {
	voices: [{ lang: "de-DE", localService: true }, { lang: "en-US", localService: false }, { lang: "en-GB", localService: true }],
	getVoices() { return this.voices; },
	cancel() {},
	speak(u) { witness.spoken.push(u.text + " " + u.voice.lang); setTimeout(() => u.onend()); },
} });
Object.defineProperty(navigator, "serial", { value: { requestPort: async () => {
	const port = new EventTarget();
	port.open = async ({ baudRate }) => { witness.baud = baudRate; };
	port.close = async () => { witness.baud = 0; };
	port.writable = new WritableStream({ write(bytes) { witness.lines.push(new TextDecoder().decode(bytes)); } });
	witness.unplug = () => port.dispatchEvent(new Event("disconnect"));
	return port;
} } });
for (const [node, counter] of [[OscillatorNode, "tones"], [AudioBufferSourceNode, "played"]]) {
	const { start } = node.prototype;
	node.prototype.start = function (...when) {
		if (!(this.context instanceof OfflineAudioContext)) witness[counter]++;
		return start.apply(this, when);
	};
}
`

// openThen opens the studio in a new browser; see studiotest.Open.
func openThen(t *testing.T, opt browsertest.Options) *studio {
	t.Helper()
	return &studio{studiotest.Open(t, opt, studiotest.Spy, witness)}
}

// openSite opens the studio of a site.
func openSite(t *testing.T, site http.Handler, opt browsertest.Options) *studio {
	t.Helper()
	return &studio{studiotest.OpenSite(t, site, opt, witness)}
}

// teach gives two classes four images of discs each.
func (s *studio) teach() {
	s.T.Helper()
	s.Name(1, "Red")
	s.Name(2, "Blue")
	for range 4 {
		s.Drop(studiotest.Card(1), studiotest.PictureFile(s.T, "red.jpg", studiotest.Red))
		s.Drop(studiotest.Card(2), studiotest.PictureFile(s.T, "blue.jpg", studiotest.Blue))
	}
	s.WaitCount(".thumbnail", 8)
}

// row returns the selector of the n-th row of the panel, from 1.
func row(n int) string { return ".rule:nth-of-type(" + string(rune('0'+n)) + ")" }

// unfold opens the panel.
func (s *studio) unfold() {
	s.T.Helper()
	s.WaitFor(`document.querySelector("#show-then")`)
	s.Click("#show-then")
	s.WaitFor(`document.querySelector(".rules")`)
}
