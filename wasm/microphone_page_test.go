//go:build !js

package wasm_test

import (
	"slices"
	"testing"

	"github.com/deepemd/deepemd/internal/nodetest"
)

// microphone is JavaScript that replaces the browser's audio. port.onmessage is called with blocks of samples.
const microphone = `
		const { Microphone } = await import(ROOT + "wasm/npm/microphone.js");
		const track = { addEventListener() {}, stop() {}, getSettings: () => ({}), label: "" };
		const getUserMedia = async () => ({ getTracks: () => [track], getAudioTracks: () => [track] });
		Object.defineProperty(globalThis, "navigator", { value: { mediaDevices: { getUserMedia } } });
		globalThis.document = new EventTarget();
		const port = {};
		class AudioNode { port = port; connect() {} }
		class AudioContext {
			sampleRate = 8000;
			audioWorklet = { async addModule() {} };
			createMediaStreamSource() { return new AudioNode(); }
			async resume() {}
			async close() {}
		}
		Object.assign(globalThis, { AudioContext, AudioWorkletNode: AudioNode, BiquadFilterNode: AudioNode, AnalyserNode: AudioNode });`

// TestWindowsOfSounds checks that every window has one whole sound with the quiet around it, or the latest part of a long
// sound. The three sounds have different values; a block lasts 25 ms.
func TestWindowsOfSounds(t *testing.T) {
	page := nodetest.Start(t, microphone+`
		async function answer(blocks) {
			const microphone = new Microphone();
			const windows = [];
			let heard = 0;
			await microphone.start();
			microphone.onwindow = () => windows.push({ heard, blocks: Array.from(microphone.window().samples.filter((_, i) => i % 200 === 0)) });
			for (const v of blocks) {
				heard++;
				port.onmessage({ data: new Float32Array(200).fill(v) });
			}
			return windows;
		}`)
	var blocks []float64
	hear := func(volume float64, n int) (end int) {
		blocks = append(blocks, slices.Repeat([]float64{volume}, n)...)
		return len(blocks)
	}
	const lead, enough, longest = 8, 14, 50 // blocks: of quiet before a sound, until the first answer, in a window
	begins := []int{hear(0, 40), 0, 0}
	hear(0.25, 16)
	begins[1] = hear(0, 20)
	hear(0.5, 16)
	begins[2] = hear(0, 120)
	hear(0.75, 120)
	var windows []struct {
		Heard  int
		Blocks []float64
	}
	if err := page.Ask(t, blocks, &windows); err != nil {
		t.Fatal(err)
	}
	var answers [3]int
	for _, w := range windows {
		sound := 0
		for sound < 2 && w.Heard >= begins[sound+1]+enough {
			sound++
		}
		answers[sound]++
		volume := []float64{0.25, 0.5, 0.75}[sound]
		loud := w.Heard - 1 // the last block of the sound
		for blocks[loud] == 0 {
			loud--
		}
		if want := blocks[max(begins[sound]-lead, loud+1-longest):w.Heard]; !slices.Equal(w.Blocks, want) {
			t.Errorf("after %d blocks, while the sound of volume %g is heard: window %v, want %v", w.Heard, volume, w.Blocks, want)
		}
	}
	if answers != [3]int{6, 9, 27} {
		t.Errorf("%d answers to the three sounds", answers)
	}
}

// TestTakesOfSounds checks that every sound is one take, and a long sound several, but never its short rest. A block lasts 25 ms.
func TestTakesOfSounds(t *testing.T) {
	page := nodetest.Start(t, microphone+`
		async function answer({ blocks, released }) {
			const microphone = new Microphone();
			const takes = [];
			let heard = 0;
			await microphone.start();
			microphone.ontake = () => takes.push(heard);
			microphone.record();
			for (const v of blocks) {
				heard++;
				port.onmessage({ data: new Float32Array(200).fill(v) });
				if (heard === released) microphone.finish();
			}
			return takes;
		}`)
	const quiet, pause = 40, 11 // blocks: before the sound, and of quiet until a sound ends
	for _, test := range []struct {
		name           string
		long, released int // blocks of sound; the block after which the button is released
		want           []int
	}{
		{"a click", 2, 0, []int{2 + pause}},
		{"a word", 20, 0, []int{20 + pause}},
		{"a ring that fades", 56, 0, []int{49}},
		{"a song of two parts", 85, 0, []int{49, 85 + pause}},
		{"an alarm", 149, 0, []int{49, 98, 147}},
		{"released in a word", 20, 10, []int{10}},
		{"released after a part", 100, 52, []int{49}},
	} {
		released := quiet + test.released
		if test.released == 0 {
			released = -1 // never
		}
		ask := struct {
			Blocks   []float64 `json:"blocks"`
			Released int       `json:"released"`
		}{slices.Concat(make([]float64, quiet), slices.Repeat([]float64{0.5}, test.long), make([]float64, quiet)), released}
		var takes []int
		if err := page.Ask(t, ask, &takes); err != nil {
			t.Fatal(err)
		}
		for i := range takes {
			takes[i] -= quiet
		}
		if !slices.Equal(takes, test.want) {
			t.Errorf("%s of %d blocks: takes end after %v, want %v", test.name, test.long, takes, test.want)
		}
	}
}
