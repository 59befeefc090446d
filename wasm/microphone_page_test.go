//go:build !js

package wasm_test

import (
	"slices"
	"testing"

	"github.com/deepemd/deepemd/internal/nodetest"
)

// TestWindowsOfSounds checks that every window has one whole sound with the quiet around it, or the latest part of a long
// sound. The three sounds have different values; a block lasts 25 ms.
func TestWindowsOfSounds(t *testing.T) {
	page := nodetest.Start(t, `
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
		Object.assign(globalThis, { AudioContext, AudioWorkletNode: AudioNode, BiquadFilterNode: AudioNode, AnalyserNode: AudioNode });
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
