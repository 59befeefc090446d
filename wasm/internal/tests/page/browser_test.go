//go:build !js

package page_test

import (
	"encoding/base64"
	"fmt"
	"math"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core"
	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/internal/require"
)

func TestPageTeachesAndClassifies(t *testing.T) {
	_, b := newSite(t)
	got := browsertest.Eval[struct {
		Info struct {
			Name, Version, Kernels     string
			InputSize, Nodes, Channels int
			Widths                     []int
		}
		Before, After []answer.Score
		Ms, EmbedMs   float64
		MatchMs       float64
		Stages        []string
		Totals        map[string]float64
		Loaded        map[string]float64
		Classes       string
		Gone          failure
	}](b, `(async () => {
		const stages = [], totals = {}, loaded = {};
		const engine = await taught({ onProgress: (p) => {
			if (stages.at(-1) !== p.stage && !stages.includes(p.stage)) stages.push(p.stage);
			totals[p.stage] = p.total; loaded[p.stage] = p.loaded;
		} });
		const before = await engine.classify(plain(0, 20, 250));
		await engine.renameClass("red", "scarlet");
		const extra = await engine.addExample("green", plain(0, 255, 0), { id: "extra" });
		await engine.removeExample("extra");
		await engine.removeClass("blue");
		const after = await engine.classify(plain(230, 20, 20));
		const classes = engine.classes.map((c) => c.id + ":" + c.label + ":" + c.examples.length).join(" ");
		engine.dispose();
		const gone = await failure(engine.classify(plain(0, 0, 0)));
		return { info: engine.info, before: before.scores, after: after.scores, ...after, stages, totals, loaded, classes, gone };
	})()`)
	if got.Info.Version != core.Version || got.Info.InputSize != 32 || got.Info.Nodes != 4 || got.Info.Channels != 32 {
		t.Errorf("info %+v", got.Info)
	}
	if !strings.Contains(got.Info.Kernels, "simd128") || strings.Contains(got.Info.Kernels, "generic") {
		t.Errorf("kernels %q: the engine runs without SIMD", got.Info.Kernels)
	}
	if len(got.Before) != 3 || got.Before[0].ID != "blue" {
		t.Errorf("a blue picture gives %+v", got.Before)
	}
	if len(got.After) != 2 || got.After[0].Label != "scarlet" {
		t.Errorf("a red picture gives %+v", got.After)
	}
	if !(got.Ms > 0 && got.EmbedMs > 0 && got.MatchMs >= 0 && got.Ms >= got.EmbedMs) {
		t.Errorf("times %v, %v, %v ms", got.Ms, got.EmbedMs, got.MatchMs)
	}
	if want := []string{"engine", "ready", "weights"}; !slices.Equal(slices.Sorted(slices.Values(got.Stages)), want) {
		t.Errorf("progress %v, want %v", got.Stages, want)
	}
	for stage, total := range got.Totals {
		if total == 0 || got.Loaded[stage] != total {
			t.Errorf("%s: loaded %v of %v", stage, got.Loaded[stage], total)
		}
	}
	if want := "red:scarlet:1 green:green:1"; got.Classes != want {
		t.Errorf("classes %q, want %q", got.Classes, want)
	}
	got.Gone.Check(t, "disposed", "DeepEMD.create")
	b.NoProblems()
}

// TestSources: whatever shows blue is recognized, and stays the caller's.
func TestSources(t *testing.T) {
	for _, offscreen := range []bool{true, false} {
		t.Run(fmt.Sprintf("OffscreenCanvas=%v", offscreen), func(t *testing.T) {
			_, b := newSite(t)
			got := browsertest.Eval[map[string]string](b, fmt.Sprintf(`(async () => {
				const offscreen = %v;
				const engine = await taught();
				const blob = await canvas.convertToBlob({ type: "image/png" });
				const img = new Image();
				img.src = URL.createObjectURL(blob);
				const element = Object.assign(document.createElement("canvas"), { width: 40, height: 30 });
				element.getContext("2d").drawImage(await createImageBitmap(blob), 0, 0);
				const video = document.createElement("video");
				video.muted = true;
				video.srcObject = element.captureStream(30);
				const drawing = setInterval(() => element.getContext("2d").fillRect(0, 0, 0, 0), 20);
				await video.play();
				const bitmap = await createImageBitmap(blob);
				const frame = new VideoFrame(element, { timestamp: 0 });
				const sources = {
					png: blob,
					jpeg: await canvas.convertToBlob({ type: "image/jpeg" }),
					webp: await canvas.convertToBlob({ type: "image/webp" }),
					"mislabeled png": new File([blob], "blue.jpg", { type: "image/jpeg" }),
					img, element, video, bitmap, frame,
					offscreen: canvas,
					imageData: element.getContext("2d").getImageData(0, 0, 40, 30),
					rgb: plain(20, 30, 240),
					clamped: { width: 1, height: 1, data: new Uint8ClampedArray([20, 30, 240]) },
				};
				if (!offscreen) globalThis.OffscreenCanvas = undefined;
				const found = {};
				for (const [name, source] of Object.entries(sources)) {
					for (const round of [1, 2]) {
						const f = await failure(engine.classify(source));
						found[name + round] = f.code === "none" ? JSON.parse(f.message).scores[0].label : f.code + ": " + f.message;
					}
				}
				for (const [name, source] of Object.entries(sources)) {
					await engine.addExample("blue", source, { id: name });
				}
				found.taught = String(engine.classes.find((c) => c.id === "blue").examples.length - Object.keys(sources).length);
				clearInterval(drawing);
				return found;
			})()`, offscreen))
			if got["taught"] != "1" {
				t.Errorf("%s examples beside the sources, want 1", got["taught"])
			}
			delete(got, "taught")
			if len(got) != 26 {
				t.Errorf("%d answers, want 26", len(got))
			}
			for name, label := range got {
				if label != "blue" {
					t.Errorf("%s gives %s, want blue", name, label)
				}
			}
			b.NoProblems()
		})
	}
}

// TestOneRuleForPictures: an image gives the same features as a file, as an element and as a
// bitmap. An element's file is read again, where the browser does not turn it.
func TestOneRuleForPictures(t *testing.T) {
	_, b := newSite(t)
	for name, asBitmap := range map[string]bool{
		"alpha-half.png": true, "alpha-disc-lossy.webp": true, "icc-p3.jpg": true, "icc-swapped.webp": true, "gama-1.8.png": true,
		"exif-6.webp": false, "exif-6-late.png": false,
	} {
		data := require.Value(os.ReadFile(require.Shared(t, "cases/pictures/"+name)))(t)
		address := "data:" + http.DetectContentType(data) + ";base64," + base64.StdEncoding.EncodeToString(data)
		got := browsertest.Eval[struct{ Img, Bitmap float64 }](b, fmt.Sprintf(`(async () => {
			globalThis.engine ??= await taught();
			const blob = await (await fetch(%q)).blob();
			const img = new Image();
			img.src = %[1]q;
			const want = (await engine.embed(blob)).data;
			const far = (other) => Math.sqrt(want.reduce((sum, v, i) => sum + (v - other[i]) ** 2, 0) / want.reduce((sum, v) => sum + v * v, 0));
			return { img: far((await engine.embed(img)).data), bitmap: far((await engine.embed(await createImageBitmap(blob))).data) };
		})()`, address))
		if !(got.Img == 0) || asBitmap && !(got.Bitmap < 0.05) {
			t.Errorf("%s: far from the file are %+v", name, got)
		}
	}
	// A large image with a fine pattern, in ways that the browser could draw smaller first.
	far := browsertest.Eval[map[string]float64](b, `(async () => {
		const large = new OffscreenCanvas(1500, 1200), context = large.getContext("2d");
		for (let x = 0; x < 1500; x += 5) context.fillRect(x, 0, 2, 1200);
		const blob = await large.convertToBlob();
		const img = new Image();
		img.src = URL.createObjectURL(blob);
		await img.decode();
		const element = Object.assign(document.createElement("canvas"), { width: 1500, height: 1200 });
		element.getContext("2d").drawImage(img, 0, 0);
		const want = (await engine.embed(blob)).data, far = {};
		for (const [name, source] of Object.entries({ img, element, bitmap: await createImageBitmap(blob), canvas: large })) {
			const { data } = await engine.embed(source);
			far[name] = Math.sqrt(want.reduce((sum, v, i) => sum + (v - data[i]) ** 2, 0) / want.reduce((sum, v) => sum + v * v, 0));
		}
		return far;
	})()`)
	for name, d := range far {
		if !(d < 1e-3) {
			t.Errorf("a large image as %s is %v from the file", name, d)
		}
	}
	b.NoProblems()
}

func TestBadImages(t *testing.T) {
	_, b := newSite(t)
	got := browsertest.Eval[map[string]failure](b, `(async () => {
		const engine = await taught();
		const file = async (name) => new File([await (await fetch("/pictures/" + name)).blob()], name);
		const bitmap = await createImageBitmap(canvas);
		bitmap.close();
		const broken = new Image();
		broken.src = "/pictures/text.jpg";
		const sources = {
			"text.jpg": await file("text.jpg"),
			"broken.jpg": await file("broken.jpg"),
			"empty.png": await file("empty.png"),
			closed: bitmap,
			img: broken,
			video: document.createElement("video"),
			canvas: Object.assign(document.createElement("canvas"), { width: 0 }),
			short: { width: 4, height: 4, data: new Uint8Array(7) },
			zero: { width: 0, height: 0, data: new Uint8Array(0) },
			string: "cat.jpg",
			nothing: undefined,
			null: null,
		};
		const found = {};
		for (const [name, source] of Object.entries(sources)) {
			found[name] = await failure(engine.classify(source));
			const again = await failure(engine.addExample("blue", source));
			if (again.code !== found[name].code) found[name] = again;
		}
		found.alive = await failure(engine.classify(plain(0, 0, 200)));
		found.examples = { code: String(engine.classes.flatMap((c) => c.examples).length), message: "" };
		return found;
	})()`)
	got["alive"].Check(t, "none")
	got["examples"].Check(t, "3")
	got["text.jpg"].Check(t, "bad-image", "text.jpg", "JPEG, PNG or WebP")
	got["video"].Check(t, "bad-image", "playing")
	got["string"].Check(t, "network", "/test/cat.jpg", "correct the address")
	delete(got, "alive")
	delete(got, "examples")
	delete(got, "string")
	if len(got) != 11 {
		t.Errorf("%d cases, want 11", len(got))
	}
	for name, f := range got {
		t.Log(name, f.Message)
		f.Check(t, "bad-image")
	}
}

func TestOtherPicturesAreLeftToTheBrowser(t *testing.T) {
	_, b := newSite(t)
	got := browsertest.Eval[failure](b, `(async () => {
		const engine = await taught();
		return failure(engine.classify(await (await fetch("/pictures/a.gif")).blob()));
	})()`)
	got.Check(t, "none")
}

// TestBrowsersWithoutRelaxedSIMD: products and sums are fused where the browser
// can do that, and the answers are the same where it cannot.
func TestBrowsersWithoutRelaxedSIMD(t *testing.T) {
	_, b := newSite(t)
	type answered struct {
		Kernels string
		Scores  []answer.Score
	}
	answer := func(options string) answered {
		return browsertest.Eval[answered](b, `(async () => {
			const engine = await taught(`+options+`);
			const { scores } = await engine.classify(plain(90, 120, 200));
			return { kernels: engine.info.kernels, scores };
		})()`)
	}
	fused, plain := answer(`{}`), answer(`{ base: "/old" }`)
	if fused.Kernels != "simd128-fma" || plain.Kernels != "simd128" {
		t.Errorf("kernels %q, and %q in a browser without relaxed SIMD", fused.Kernels, plain.Kernels)
	}
	for i, s := range plain.Scores {
		if got := fused.Scores[i]; got.ID != s.ID || math.Abs(got.Score-s.Score) > 1e-4 {
			t.Errorf("place %d is %+v, without relaxed SIMD %+v", i+1, got, s)
		}
	}
}
