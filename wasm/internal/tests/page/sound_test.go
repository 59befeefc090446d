//go:build !js

package page_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/deepemd/deepemd/core/sound"
	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/internal/require"
)

// TestPageHears teaches sounds in every form of a page, and compares the spectrogram of a file with
// native code. A file that only the browser decodes equals its samples, up to the browser's rounding.
func TestPageHears(t *testing.T) {
	_, b := newSite(t)
	got := browsertest.Eval[struct {
		Labels           []string
		MP3, Kept        []uint8
		Second, Restored int
		EmbedMs          []float64
		Packed           bool
		Cut, Named, Long failure
		Broken           failure
		Silent, Rate     failure
		Deaf, Picture    failure
		Crashed          string
	}](b, `(async () => {
		const engine = await DeepEMD.create({ sound: true });
		const fetched = async (name) => new File([await (await fetch("/sounds/" + name)).arrayBuffer()], name);
		const tone = (hz, rate = 48000) => ({ rate, samples: Float32Array.from({ length: rate }, (_, i) => 0.4 * Math.sin((2 * Math.PI * hz * i) / rate)) });
		const buffer = (hz) => {
			const b = new AudioBuffer({ length: 8000, numberOfChannels: 2, sampleRate: 16000 });
			for (const c of [0, 1]) b.copyToChannel(tone(hz, 16000).samples.subarray(0, 8000).map((v) => (c ? -v : v)), c); // channels that cancel each other
			return b;
		};
		const voice = await engine.addClass("voice"), low = await engine.addClass("low"), high = await engine.addClass("high");
		await engine.addExample(voice, await fetched("voice.wav"));
		const mp3 = await engine.addExample(voice, await fetched("mpeg1-44100-joint.mp3"));
		await engine.addExample(low, tone(250));
		await engine.addExample(high, buffer(5000));
		const flac = await fetched("mpeg1-48000-vbr.flac");
		const samples = Float32Array.from(new Int16Array(await (await fetched("mpeg1-48000-vbr.s16")).arrayBuffer()), (v) => v / 32768);
		const unpacked = await engine.addExample(voice, { samples, rate: 48000 }), inBytes = await engine.addExample(voice, await flac.arrayBuffer());
		const packed = [inBytes, await engine.addExample(voice, flac)].every(({ pixels }) => pixels.every((v, i) => Math.abs(v - unpacked.pixels[i]) <= 1));
		const labels = [], embedMs = [];
		for (const sound of [tone(260, 44100), tone(5100, 22050), await fetched("voice.wav"), buffer(240)]) {
			const answer = await engine.classify(sound, { pixels: true });
			labels.push(answer.scores[0].label);
		}
		const clip = tone(1000);
		for (let i = 0; i < 50; i++) embedMs.push((await engine.classify(clip)).embedMs);
		const failures = {
			cut: await failure(engine.addExample(voice, (await fetched("mpeg1-44100-joint.mp3")).slice(0, 3000))),
			named: await failure(engine.addExample(voice, new File(["this is a text"], "text.mp3"))),
			broken: await failure(engine.addExample(voice, flac.slice(0, 60))),
			silent: await failure(engine.classify({ samples: new Float32Array(16000), rate: 16000 })),
			rate: await failure(engine.classify({ samples: new Float32Array(16000), rate: 0 })),
		};
		const hour = new Float32Array(3600 * 1000).fill(0.1);
		failures.long = await failure(engine.addExample(voice, { samples: hour, rate: 1000 }));
		const restarted = next(engine, "restart");
		await engine[crash]("panic").catch(() => {});
		await restarted;
		const crashed = (await engine.classify(tone(245))).scores[0].label;
		const kept = engine.classes[0].examples[1];
		const eye = await taught();
		return {
			labels, embedMs, crashed, packed, ...failures,
			mp3: Array.from(mp3.pixels), second: mp3.second.length, kept: Array.from(kept.pixels), restored: kept.second.length,
			deaf: await failure(eye.classify(tone(300))), picture: await failure(eye.classify(await fetched("voice.wav"))),
		};
	})()`)
	if want := []string{"low", "high", "voice", "low"}; !slices.Equal(got.Labels, want) || got.Crashed != "low" {
		t.Errorf("answers %v, and %s after a crash, want %v and low", got.Labels, got.Crashed, want)
	}
	file := require.Value(os.ReadFile(filepath.Join("..", "..", "..", "..", "core", "sound", "testdata", "mpeg1-44100-joint.mp3")))(t)
	want := require.Value(sound.Picture(file))(t)
	if !slices.Equal(got.MP3, want.Pix) || !slices.Equal(got.Kept, want.Pix) {
		t.Error("the spectrogram of an MP3 file differs from native code's")
	}
	if !got.Packed {
		t.Error("the spectrogram of a FLAC file differs from that of its samples")
	}
	if got.Second != 16000 || got.Restored != 16000 {
		t.Errorf("%d and %d samples, want the second that was heard", got.Second, got.Restored)
	}
	got.Cut.Check(t, "bad-sound", "copy it again")
	got.Broken.Check(t, "bad-sound", "FLAC")
	got.Named.Check(t, "bad-sound", "not an MP3 or WAV")
	got.Long.Check(t, "bad-sound", "60 min", "60 s")
	got.Silent.Check(t, "silent", "microphone")
	got.Rate.Check(t, "bad-sound", "sample rate")
	got.Deaf.Check(t, "bad-sound", "sound: true")
	got.Picture.Check(t, "bad-image")
	slices.Sort(got.EmbedMs)
	t.Logf("one second at 48 kHz becomes a spectrogram and local embeddings in %.1f ms (median of %d, fastest %.1f ms)",
		got.EmbedMs[len(got.EmbedMs)/2], len(got.EmbedMs), got.EmbedMs[0])
	b.NoProblems()
}
