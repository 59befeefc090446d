package web

import (
	"testing"

	"github.com/deepemd/deepemd/internal/nodetest"
)

// A sound that takes long to decode does not cut off one that has begun since.
func TestTheLatestSoundPlays(t *testing.T) {
	page := nodetest.Start(t, `
		const { Sounds } = await import(ROOT + "web/static/web/tones.js");
		let did, decoded;
		class Part { connect() { return this; } disconnect() { did.push("cut"); } start() { did.push(this.constructor.name); } stop() {} }
		const value = { setValueAtTime() {}, exponentialRampToValueAtTime() {} };
		Object.assign(globalThis, {
			AudioContext: class {
				async resume() {}
				decodeAudioData() {
					return new Promise((resolve) => (decoded = () => resolve({ duration: 0 })));
				}
			},
			GainNode: class extends Part { gain = value; },
			OscillatorNode: class Tone extends Part { frequency = value; },
			AudioBufferSourceNode: class Own extends Part {},
		});
		async function answer(names) {
			did = [], decoded = undefined;
			const sounds = new Sounds((id) => (id === "own" ? new Blob(["x"]) : undefined));
			for (const name of names) {
				sounds.play(name);
				await new Promise(setImmediate);
			}
			while (!decoded) await new Promise(setImmediate);
			decoded();
			await new Promise(setImmediate);
			return did.join(" ");
		}`)
	for _, c := range []struct {
		names []string
		want  string
	}{
		{[]string{"own"}, "Own"},
		{[]string{"buzz", "own"}, "Tone cut Own"},
		{[]string{"own", "buzz"}, "Tone"},
		{[]string{"own", "nothing"}, "Own"},
	} {
		var got string
		if err := page.Ask(t, c.names, &got); err != nil || got != c.want {
			t.Errorf("%q: %q, error %+v; want %q", c.names, got, err, c.want)
		}
	}
}

// A project file has only media with the type of an image or a sound, so the page gives such a type to a sound that browsers
// do not know by its name.
func TestTypesOfOwnSounds(t *testing.T) {
	page := nodetest.Start(t, `
		const { shrunk } = await import(ROOT + "web/static/web/shrink.js");
		Object.assign(globalThis, {
			OfflineAudioContext: class {
				decodeAudioData = async () => ({ duration: 1 });
				startRendering = async () => ({ getChannelData: () => new Float32Array(110250) });
			},
			AudioBufferSourceNode: class { connect() {} start() {} },
		});
		const answer = async ({ type, size }) => (await shrunk(new Blob([new Uint8Array(size)], { type }), "sound")).type;`)
	for _, c := range []struct {
		Type string `json:"type"`
		Size int    `json:"size"`
		want string
	}{
		{"audio/mpeg", 9, "audio/mpeg"}, {"video/mp4", 9, "video/mp4"}, {"audio/mpeg", 1e6, "audio/wav"},
		{"", 9, "audio/wav"}, {"application/ogg", 9, "audio/wav"},
	} {
		var got string
		if err := page.Ask(t, c, &got); err != nil || got != c.want {
			t.Errorf("%d bytes of type %q: %q, error %+v; want %q", c.Size, c.Type, got, err, c.want)
		}
	}
}

// Sayings of a device without voices, in a page that stays open for days, leave no listeners.
func TestDeviceWithoutVoices(t *testing.T) {
	page := nodetest.Start(t, `
		const { getEventListeners } = await import("node:events");
		const { say } = await import(ROOT + "web/static/web/speech.js");
		globalThis.speechSynthesis = Object.assign(new EventTarget(), { getVoices: () => [], cancel() {}, speak: (it) => it.onend() });
		Object.assign(globalThis, { navigator: { languages: [] }, SpeechSynthesisUtterance: class {} });
		async function answer() {
			await Promise.all([say("cup", "en"), say("pen", "en")]);
			return getEventListeners(speechSynthesis, "voiceschanged").length;
		}`)
	var got int
	if err := page.Ask(t, nil, &got); err != nil || got != 0 {
		t.Errorf("%d listeners, error %+v", got, err)
	}
}
