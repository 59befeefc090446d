//go:build !js

package page_test

import (
	"testing"

	"github.com/deepemd/deepemd/internal/browsertest"
)

// TestMisuse: invalid calls throw a DeepEMDError that names the mistake, and change nothing.
func TestMisuse(t *testing.T) {
	_, b := newSite(t)
	browsertest.Eval[bool](b, `(async () => {
		const { openProject, packProject, saveProject, unpackProject } = await import("/deepemd/project.js");
		const engine = await taught();
		const ear = await DeepEMD.create({ sound: true });
		const detached = new Uint8Array(40 * 30 * 3);
		structuredClone(detached, { transfer: [detached.buffer] });
		const gone = new Float32Array(128);
		structuredClone(gone, { transfer: [gone.buffer] });
		const [size] = engine.classes[0].examples.map((e) => e.size);
		const image = new ImageData(40, 30);
		const nan = new Float32Array(128).fill(1);
		nan[5] = NaN;
		Object.assign(window, { openProject, packProject, saveProject, unpackProject, engine, ear, detached, gone, size, image, nan, stop: new AbortController() });
		return true;
	})()`)
	for _, c := range []struct {
		call, code string
		names      []string
	}{
		{`DeepEMD.create(null)`, "bad-argument", []string{"create", "null"}},
		{`DeepEMD.create("weights.safetensors")`, "bad-argument", []string{"weights.safetensors", "object"}},
		{`DeepEMD.create({ wieghts: small })`, "bad-argument", []string{"wieghts", `"weights"`}},
		{`DeepEMD.create({ clasifier: "nearest" })`, "bad-argument", []string{`"classifier"`}},
		{`DeepEMD.create({ onprogress() {} })`, "bad-argument", []string{`"onProgress"`}},
		{`DeepEMD.create({ classes: ["a"] })`, "bad-argument", []string{`"classes"`}},
		{`DeepEMD.create({ base: "http://" })`, "bad-argument", []string{"http://"}},
		{`DeepEMD.create({ base: 7 })`, "bad-argument", []string{"base is 7"}},
		{`DeepEMD.create({ weights: "http://" })`, "bad-argument", []string{"http://"}},
		{`DeepEMD.create({ weights: null })`, "bad-argument", []string{"weights is null"}},
		{`DeepEMD.create({ weights: [1, 2, 3] })`, "bad-argument", []string{"weights is [1,2,3]"}},
		{`DeepEMD.create({ weights: detached })`, "bad-weights", []string{"transferred"}},
		{`DeepEMD.create({ weights: new Uint8Array(99) })`, "bad-weights", []string{"weights"}},
		{`DeepEMD.create({ weights: new Blob(["text"]) })`, "bad-weights", []string{"weights"}},
		{`fetch("/weights/nowhere.safetensors").then((weights) => DeepEMD.create({ weights }))`, "network", []string{"nowhere", "404"}},
		{`DeepEMD.create({ engine: 7 })`, "bad-argument", []string{"engine is 7", "WebAssembly.Module"}},
		{`DeepEMD.create({ weights: small, engine: new Uint8Array(8) })`, "network", []string{"engine"}},
		{`DeepEMD.create({ worker: {} })`, "bad-argument", []string{"worker is an object"}},
		{`DeepEMD.create({ sound: "yes" })`, "bad-argument", []string{`sound is "yes"`}},
		{`DeepEMD.create({ workers: "4" })`, "bad-argument", []string{`workers is "4"`}},
		{`DeepEMD.create({ timeout: 0 })`, "bad-argument", []string{"timeout is 0"}},
		{`DeepEMD.create({ temperature: "12" })`, "bad-argument", []string{`temperature is "12"`}},
		{`DeepEMD.create({ weights: small, temperature: -1 })`, "bad-argument", []string{"temperature"}},
		{`DeepEMD.create({ temperature: 0 })`, "bad-argument", []string{"temperature is 0", "above 0"}},
		{`DeepEMD.create({ method: { temperature: 0 } })`, "bad-argument", []string{"temperature is 0"}},
		{`DeepEMD.create({ embedder: { kind: "grid", ratio: 0 } })`, "bad-argument", []string{"ratio is 0"}},
		{`DeepEMD.create({ embedder: { kind: "sampling", patches: 0 } })`, "bad-argument", []string{"patches is 0"}},
		{`DeepEMD.create({ weights: small, strictness: 2 })`, "bad-argument", []string{"strictness"}},
		{`DeepEMD.create({ embedder: "grid" })`, "bad-argument", []string{`embedder is "grid"`}},
		{`DeepEMD.create({ embedder: { kind: "grid", grids: [2] } })`, "bad-argument", []string{`"grid"`}},
		{`DeepEMD.create({ method: { temprature: 3 } })`, "bad-argument", []string{`"temperature"`}},
		{`DeepEMD.create({ method: { strangers: { names: true } } })`, "bad-argument", []string{`"name"`}},
		{`DeepEMD.create({ signal: stop })`, "bad-argument", []string{"AbortController"}},
		{`DeepEMD.create({ onProgress: "log" })`, "bad-argument", []string{"onProgress"}},
		{`DeepEMD.create({ weights: "/weights/nowhere.safetensors" })`, "network", []string{"weights/nowhere.safetensors", "404"}},
		{`DeepEMD.create({ weights: "/weights/truncated.safetensors" })`, "bad-weights", []string{"weights"}},
		{`DeepEMD.create({ weights: "/weights/cut.safetensors" })`, "network", []string{"weights/cut.safetensors"}},
		{`DeepEMD.create({ weights: "/weights/page.safetensors" })`, "bad-weights", []string{"weights/page.safetensors", "web page"}},
		{`DeepEMD.create({ weights: "/weights/picture.safetensors" })`, "bad-weights", nil},
		{`DeepEMD.create({ weights: "http://127.0.0.1:9/weights" })`, "network", []string{"127.0.0.1:9"}},
		{`DeepEMD.create({ weights: new ArrayBuffer(100) })`, "bad-weights", nil},
		{`DeepEMD.create({ weights: new ArrayBuffer(0) })`, "bad-weights", nil},
		{`DeepEMD.create({ weights: small, base: "/nowhere" })`, "network", []string{"/nowhere/worker.js"}},
		{`DeepEMD.create({ weights: small, base: "/page" })`, "network", []string{"/page/deepemd.wasm", "web page"}},
		{`DeepEMD.create({ weights: small, base: "/noise" })`, "network", []string{"/noise/deepemd.wasm"}},
		{`DeepEMD.create({ weights: small, base: "/cut" })`, "network", []string{"/cut/deepemd.wasm"}},
		{`DeepEMD.create({ weights: small, classifier: "oracle" })`, "bad-argument", []string{"oracle", "fusion, merge or cosine"}},
		{`DeepEMD.create({ weights: small, classifier: "sfc" })`, "bad-argument", []string{`"sfc"`, "fusion, merge or cosine"}},
		{`DeepEMD.create({ weights: small, weighting: "random" })`, "bad-argument", []string{"random"}},
		{`DeepEMD.create({ weights: small, pyramid: [0] })`, "bad-argument", []string{"pyramid"}},
		{`DeepEMD.create({ weights: small, embedder: { kind: "magic" } })`, "bad-argument", []string{"fcn, grid or sampling"}},
		{`DeepEMD.create({ weights: small, embedder: {} , pyramid: [2], workers: 0 })`, "bad-argument", []string{"workers is 0"}},
		{`DeepEMD.create({ weights: small, workers: 1.5 })`, "bad-argument", []string{"workers is 1.5"}},
		{`DeepEMD.create({ weights: small, pyramid: [2], embedder: { kind: "grid" } })`, "bad-argument", []string{"a pyramid goes with the embedder fcn"}},
		{`DeepEMD.create({ weights: small, pyramid: "2" })`, "bad-argument", []string{`pyramid is "2"`}},
		{`DeepEMD.create({ weights: small, embedder: { kind: "grid", grid: [0] } })`, "bad-argument", []string{"grid of 0×0"}},
		{`DeepEMD.create({ weights: small, embedder: { kind: "grid", grid: ["2"] } })`, "bad-argument", []string{`grid is ["2"]`}},
		{`DeepEMD.create({ weights: small, embedder: { kind: "grid", grid: [2.5] } })`, "bad-argument", []string{"grid is [2.5]"}},
		{`DeepEMD.create({ weights: small, embedder: { kind: "grid", grid: {} } })`, "bad-argument", []string{"grid is an object"}},
		{`DeepEMD.create({ weights: small, embedder: { kind: "grid", ratio: "2" } })`, "bad-argument", []string{`ratio is "2"`}},
		{`DeepEMD.create({ weights: small, embedder: { kind: "sampling", patches: 99999 } })`, "bad-argument", []string{"99999 patches"}},
		{`DeepEMD.create({ weights: small, embedder: { kind: "sampling", seed: -1 } })`, "bad-argument", []string{"seed is -1"}},
		{`DeepEMD.create({ weights: small, embedder: { kind: 3 } })`, "bad-argument", []string{"kind is 3"}},
		{`new DeepEMD({})`, "bad-argument", []string{"DeepEMD.create"}},
		{`engine.configure(null)`, "bad-argument", []string{"configure", "null"}},
		{`engine.configure({ clasifier: "nearest" })`, "bad-argument", []string{`"classifier"`}},
		{`engine.configure({ classifier: "xx" })`, "bad-argument", []string{`no classifier "xx": want mixture, prototype, nearest, fusion, merge or cosine`}},
		{`engine.configure({ classifier: "sfc" })`, "bad-argument", []string{`no classifier "sfc": want mixture`}},
		{`engine.configure({ solver: "interior" })`, "bad-argument", []string{`no solver "interior": want simplex or dense`}},
		{`engine.configure({ weighting: "k-means" })`, "bad-argument", []string{`no node weights "k-means": want cross-reference or equal`}},
		{`engine.configure({ temperature: 0 })`, "bad-argument", []string{"temperature is 0"}},
		{`engine.addClass("cup \ud83e")`, "bad-argument", []string{"surrogate"}},
		{`engine.addClass("🥤".repeat(1001))`, "bad-argument", []string{"1001 characters"}},
		{`engine.configure({ base: "/" })`, "bad-argument", []string{"base cannot be changed"}},
		{`engine.configure({ engine: "/deepemd.wasm" })`, "bad-argument", []string{"engine cannot be changed"}},
		{`engine.configure({ sound: true })`, "bad-argument", []string{"sound cannot be changed"}},
		{`engine.configure({ signal: stop.signal })`, "bad-argument", []string{"second object"}},
		{`engine.configure({ solver: "dense" }, { onprogres() {} })`, "bad-argument", []string{`"onProgress"`}},
		{`engine.configure({ solver: "sinkhorn:x" })`, "bad-argument", []string{`no solver "sinkhorn": want simplex or dense`}},
		{`engine.replace(null, async () => {})`, "bad-argument", []string{"the method", "null"}},
		{`engine.replace({}, null)`, "bad-argument", []string{"teach is null"}},
		{`engine.replace({ classifer: "nearest" }, async () => {})`, "bad-argument", []string{`"classifier"`}},
		{`engine.replace({}, async (draft) => { await draft.addClass("a", { enabled: 1 }); })`, "bad-argument", []string{"enabled is 1"}},
		{`engine.replace({}, async (draft) => { window.draft = draft; throw 0; }).catch(() => draft.addClass("late"))`, "bad-argument", []string{"draft has ended"}},

		{`engine.addClass()`, "bad-argument", []string{"label", "undefined"}},
		{`engine.addClass({ label: "cup" })`, "bad-argument", []string{"label", "an object"}},
		{`engine.addClass("x".repeat(2000))`, "bad-argument", []string{"2000"}},
		{`engine.addClass("cup", "cup")`, "bad-argument", []string{"addClass", `"cup"`}},
		{`engine.addClass("cup", { id: "" })`, "bad-argument", []string{"id"}},
		{`engine.addClass("cup", { id: 7 })`, "bad-argument", []string{"id is 7"}},
		{`DeepEMD.create({ weights: small }).then((bare) => bare.classify(plain(1, 2, 3)))`, "empty", []string{"add"}},
		{`engine.addClass("b", { id: "red" })`, "bad-argument", []string{`"red"`}},
		{`engine.addExample("red", plain(1, 2, 3), { id: engine.classes[0].examples[0].id })`, "bad-argument", nil},
		{`engine.renameClass("x", "y")`, "unknown-class", []string{`"x"`}},
		{`engine.removeClass("x")`, "unknown-class", []string{`"x"`}},
		{`engine.addExample("x", plain(1, 2, 3))`, "unknown-class", []string{`"x"`}},
		{`engine.removeExample("x")`, "unknown-example", []string{`"x"`}},
		{`engine.renameClass("red")`, "bad-argument", []string{"label"}},
		{`engine.enableClass("red", "no")`, "bad-argument", []string{`enabled is "no"`}},
		{`engine.removeClass(undefined)`, "unknown-class", nil},
		{`engine.removeExample(engine.classes[0].examples[0])`, "unknown-example", []string{"an object"}},

		{`engine.classify({ width: 40, height: 30, data: new Float32Array(3600) })`, "bad-image", []string{"Float32Array", "Uint8Array"}},
		{`engine.classify({ width: 40, height: 30, data: new Uint32Array(900) })`, "bad-image", []string{"Uint32Array"}},
		{`engine.classify({ width: 40, height: 30, data: Array(3600).fill(0) })`, "bad-image", []string{"Array"}},
		{`engine.classify({ width: 40, height: 30, data: detached })`, "bad-image", []string{"transferred"}},
		{`engine.classify({ width: 40, height: 30, data: new Uint8Array(3601) })`, "bad-image", []string{"3601", "3600"}},
		{`engine.classify({ width: "40", height: 30, data: new Uint8Array(3600) })`, "bad-image", []string{`width is "40"`}},
		{`engine.classify({ width: -40, height: -30, data: new Uint8Array(3600) })`, "bad-image", []string{"width is -40"}},
		{`engine.classify([plain(1, 2, 3)])`, "bad-image", []string{"an Array"}},
		{`engine.classify([1n])`, "bad-image", []string{"an Array"}},
		{`engine.classify(detached)`, "bad-image", []string{"transferred"}},
		{`engine.classify(detached.buffer)`, "bad-image", []string{"transferred"}},
		{`engine.classify(new Image())`, "bad-image", []string{"no source", "set its src"}},
		{`engine.classify(Object.assign(new Image(), { src: "/nowhere/cat.jpg" }))`, "bad-image", []string{"/nowhere/cat.jpg", "is the address right?"}},
		{`engine.classify(Object.assign(document.createElement("canvas"), { width: 0 }))`, "bad-image", []string{"set its width"}},
		{`engine.classify(document.querySelector("body"))`, "bad-image", []string{"HTMLBodyElement"}},
		{`engine.classify("/nowhere/cat.jpg")`, "network", []string{"/nowhere/cat.jpg"}},
		{`engine.classify(new URL("http://127.0.0.1:9/cat.jpg"))`, "network", []string{"127.0.0.1:9/cat.jpg", "CORS"}},
		{`engine.classify("http://")`, "bad-argument", []string{"http://"}},
		{`engine.classify("/test/")`, "network", []string{"web page"}},
		{`engine.addExample("red", "/nowhere/cat.jpg")`, "network", []string{"/nowhere/cat.jpg"}},
		{`engine.classify({ samples: new Float32Array(16000), rate: 16000 })`, "bad-sound", []string{"sound: true"}},
		{`engine.classify({ samples: [0, 1, 2], rate: 16000 })`, "bad-sound", []string{"samples", "Float32Array"}},
		{`ear.classify({ samples: new Float32Array(16000), rate: 0 })`, "bad-sound", []string{"rate 0:", "above 0"}},
		{`ear.classify({ samples: new Float32Array(16000), rate: "16000" })`, "bad-sound", []string{"rate"}},
		{`ear.classify(image)`, "bad-sound", []string{"ImageData", "AudioBuffer"}},
		{`ear.classify(canvas)`, "bad-sound", []string{"OffscreenCanvas"}},
		{`ear.classify(plain(1, 2, 3))`, "bad-sound", []string{"AudioBuffer"}},
		{`ear.embed(createImageBitmap(canvas))`, "bad-image", []string{"Promise"}},

		{`engine.classify({ embedding: new Float32Array(127) })`, "bad-argument", []string{"127", "4×32"}},
		{`engine.classify({ embedding: new Float32Array(128) })`, "bad-argument", []string{"0"}},
		{`engine.classify({ embedding: nan })`, "bad-argument", []string{"NaN"}},
		{`engine.classify({ embedding: new Float64Array(128) })`, "bad-argument", []string{"Float64Array"}},
		{`engine.classify({ embedding: gone })`, "bad-argument", []string{"transferred"}},
		{`engine.addExample("red", plain(1, 2, 3, size, size), { embedding: new Float32Array(128) })`, "bad-argument", []string{"0"}},
		{`engine.addExample("red", plain(1, 2, 3, size, size), { embedding: nan })`, "bad-argument", []string{"NaN"}},
		{`engine.addExample("red", plain(1, 2, 3, size, size), { embedding: new Float32Array(9) })`, "bad-argument", []string{"9 values", "leave it out"}},
		{`engine.addExample("red", plain(1, 2, 3, size, size), { embedding: [1, 2] })`, "bad-argument", []string{"[1,2]"}},
		{`engine.addExample("red", { embedding: engine.classes[1].examples[0].embedding })`, "bad-argument", []string{"picture"}},
		{`engine.addExample("red", { embedding: nan }, { embedding: nan })`, "bad-argument", []string{"twice"}},

		{`engine.addExample("red", image, { answers: true })`, "bad-argument", []string{`"answer"`}},
		{`engine.addExample("red", image, "id")`, "bad-argument", []string{"addExample", `"id"`}},
		{`engine.addExample("red", image, { id: 1 })`, "bad-argument", []string{"id is 1"}},
		{`engine.addExample("red", image, { original: image })`, "bad-argument", []string{"original", "ImageData"}},
		{`engine.classify(image, { pixel: true })`, "bad-argument", []string{`"pixels"`}},
		{`engine.classify(image, { explain: 1 })`, "bad-argument", []string{"explain is 1"}},
		{`engine.classify(image, { explain: "x" })`, "unknown-class", []string{`"x"`}},
		{`engine.classify(image, null)`, "bad-argument", []string{"classify", "null"}},
		{`engine.classify(image, stop.signal)`, "bad-argument", []string{"AbortSignal"}},
		{`engine.classify(image, { signal: stop })`, "bad-argument", []string{"AbortController"}},
		{`engine.classifyAll(image)`, "bad-argument", []string{"ImageData", "list"}},
		{`engine.classifyAll("cat.jpg")`, "bad-argument", []string{"cat.jpg", "list"}},
		{`engine.classifyAll([], { onprogress() {} })`, "bad-argument", []string{`"onProgress"`}},
		{`engine.explain(new Blob(["x"]))`, "bad-argument", []string{"Blob", "source"}},
		{`engine.explain({ classID: "red" })`, "bad-argument", []string{`"classId"`}},
		{`engine.explain({ source: null })`, "bad-image", []string{"null"}},
		{`engine.embed(image, { pixels: true })`, "bad-argument", []string{"signal"}},
		{`engine.train({ passes: "10" })`, "bad-argument", []string{`passes is "10"`}},
		{`engine.train({ pass: 10 })`, "bad-argument", []string{`"passes"`}},
		{`engine.train({ passes: 0 })`, "bad-argument", []string{"passes is 0"}},
		{`engine.growth({ draws: 3 })`, "bad-argument", []string{`"draws"`, "onProgress"}},
		{`engine.growth()`, "empty", []string{"two classes", "three"}},
		{`engine.review({ signals: stop.signal })`, "bad-argument", []string{`"signal"`}},

		{`openProject(engine, null)`, "bad-argument", []string{"file is null"}},
		{`openProject(null, new Blob(["x"]))`, "bad-argument", []string{"engine is null", "DeepEMD.create"}},
		{`openProject(DeepEMD.create({ weights: small }), new Blob(["x"]))`, "bad-argument", []string{"Promise"}},
		{`openProject(engine, "/nowhere.deepemd")`, "network", []string{"/nowhere.deepemd"}},
		{`openProject(engine, new Blob(["x"]), { onprogress() {} })`, "bad-argument", []string{`"onProgress"`}},
		{`openProject(engine, new Uint8Array(100))`, "bad-project", nil},
		{`fetch("/nowhere.deepemd").then((response) => openProject(engine, response))`, "network", []string{"project", "/nowhere.deepemd", "404"}},
		{`openProject(engine, detached)`, "bad-argument", []string{"transferred"}},
		{`packProject()`, "bad-argument", []string{"draft is undefined"}},
		{`packProject({ classes: [] })`, "bad-argument", []string{"network is undefined"}},
		{`packProject({ classes: [] }, {}, new Map())`, "bad-argument", []string{"content is a Map"}},
		{`DeepEMD.create({ backbone() {} }).then((bare) => saveProject(bare))`, "bad-argument", []string{"shape", "add an example"}},
		{`saveProject(undefined)`, "bad-argument", []string{"engine is undefined"}},
		{`saveProject(engine, "Cups")`, "bad-argument", []string{`"Cups"`}},
		{`saveProject(engine, { title: "Cups" })`, "bad-argument", []string{`"title"`}},
		{`unpackProject({})`, "bad-argument", []string{"an object"}},
	} {
		t.Run(c.call, func(t *testing.T) {
			got := browsertest.Eval[failure](b, `failure((async () => `+c.call+`)())`)
			t.Log(got.Message)
			got.Check(t, c.code, c.names...)
		})
	}
	after := browsertest.Eval[string](b, `(async () => {
		const { scores } = await engine.classify(plain(20, 30, 240));
		return scores[0].label + " " + engine.classes.map((c) => c.label + c.examples.length).join(" ") + " " + engine.method.solver;
	})()`)
	if want := "blue red1 green1 blue1 simplex"; after != want {
		t.Errorf("after all of it %q, want %q", after, want)
	}
}
