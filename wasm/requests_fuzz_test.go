//go:build !js

package wasm_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/networktest"
	"github.com/deepemd/deepemd/internal/nodetest"
	"github.com/deepemd/deepemd/internal/require"
)

// chance is the part of a program that draws numbers which follow from a seed, state
// (mulberry32).
const chance = `
	let state = 0;
	const random = () => {
		state = (state + 0x6d2b79f5) | 0;
		let t = Math.imul(state ^ (state >>> 15), 1 | state);
		t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
		return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
	};
	const below = (n) => Math.floor(random() * n);
	const one = (list) => list[below(list.length)];`

// asks is a program that sends requests to an engine: valid ones of every type, with random
// changes from a seed. It reports errors and the requests that it sent.
const asks = `
	const [engine, weights, sounds] = process.argv.slice(-3);
	import { readFileSync, readdirSync } from "node:fs";
	const said = [];
	globalThis.self = { postMessage: (message) => said.push(message) };
	await import(ROOT + "wasm/npm/wasm_exec.js");
	const { call, isDown, memoryBytes, run } = await import(ROOT + "wasm/npm/program.js");
	await run(await WebAssembly.compile(readFileSync(engine)));

	const features = { name: "own", nodes: 2, channels: 3 };
	const network = weights !== "none";
	const side = sounds === "none" ? 32 : 80; // of what the network takes
	const init = { type: "init", method: {}, lowMemory: false, skip: false };
	call(network ? { ...init, weights: new Uint8Array(readFileSync(weights)) } : { ...init, features });

` + chance + `

	const pixels = (side) => ({ width: side, height: side, data: Uint8Array.from({ length: 3 * side * side }, () => below(256)) });
	const recordings = sounds === "none" ? [] : readdirSync(sounds).filter((name) => /[.](?:mp3|wav)$/.test(name)).map((name) => new Uint8Array(readFileSync(sounds + "/" + name)));
	/** A recording in a file: whole, cut, or with bytes that are others. */
	const file = () => {
		const whole = one(recordings);
		const from = random() < 0.8 ? 0 : below(whole.length);
		const data = whole.slice(from, random() < 0.5 ? whole.length : from + below(whole.length - from));
		for (let n = data.length && one([0, 0, 1, 3, 100]); n > 0; n--) data[below(random() < 0.5 ? Math.min(64, data.length) : data.length)] = below(256);
		return { data };
	};
	const samples = () => {
		const [hz, loud, length] = [one([50, 440, 7000]), one([0, 1e-30, 0.4, 1, 1e30]), one([0, 1, 100, 16000, 48000, 200000])];
		const all = Float32Array.from({ length }, (_, i) => loud * Math.sin(hz * i / 7000));
		for (let n = length && one([0, 0, 0, 1, 50]); n > 0; n--) all[below(length)] = one([NaN, Infinity, -Infinity, 1e38, 0]);
		return { rate: one([1, 7, 8000, 16000, 44100, 48000, 192000, 1e6, 2 ** 31 - 1]), samples: all };
	};
	const picture = () => (recordings.length ? one([() => pixels(80), file, file, samples, samples])() : pixels(8));
	const embedding = () => Float32Array.from({ length: 6 }, () => random());
	const shown = () => (network ? { picture: picture() } : { embedding: embedding() });
	const method = () => ({
		embedder: one([{ kind: "fcn" }, { kind: "fcn", pyramid: [2, 1] }, { kind: "grid", grid: [1, 2], ratio: 2 }, { kind: "sampling", patches: 3, seed: 5 }]),
		classifier: one(["sfc", "nearest", "prototype", "fusion"]), weighting: "cross-reference", solver: one(["simplex", "sinkhorn:0.1"]), temperature: 12.5, balance: true, strangers: { name: true, strictness: 0.4 },
	});
	const id = () => one(["a", "b", "c", "d"]);
	const draft = () => random() < 0.2;

	/** Good requests. */
	const REQUESTS = {
		classify: () => ({ ...shown(), pixels: true, live: random() < 0.5, unknown: true, explain: true, classId: id() }),
		embed: shown,
		explain: () => ({ classId: id() }),
		review: () => ({}),
		inputs: () => ({ picture: picture(), draft: draft() }),
		encode: () => ({ crops: new Uint8Array(3 * side * side) }),
		train: () => ({ passes: 2, check: true }),
		learn: () => ({ draft: draft() }),
		growth: () => ({}),
		stop: () => ({ job: below(3) }),
		memory: () => ({}),
		init: () => init,
		reshape: () => ({ features: { ...features, regions: new Float32Array(8) }, draft: draft() }),
		configure: () => ({ method: method(), skip: false }),
		addClass: () => ({ classId: id(), label: id(), nothing: random() < 0.1, draft: draft() }),
		renameClass: () => ({ classId: id(), label: id() }),
		removeClass: () => ({ classId: id() }),
		enableClass: () => ({ classId: id(), enabled: random() < 0.5, draft: draft() }),
		addExample: () => ({ classId: id(), exampleId: String(below(1000)), ...shown(), answer: random() < 0.5, draft: draft() }),
		removeExample: () => ({ exampleId: String(below(1000)) }),
		begin: () => ({ method: method() }),
		commit: () => ({}),
		discard: () => ({}),
	};

	/** Values that nobody means. */
	const JUNK = [
		() => undefined, () => null, () => true, () => -1, () => 0, () => 0.5, () => 1e9, () => 2 ** 53, () => 2 ** 31, () => -1e300, () => NaN, () => Infinity, () => "", () => "x", () => "é\ud800\0", () => "y".repeat(1e5),
		() => [], () => [1e9], () => [null, "x"], () => [-1, 0], () => ({}), () => ({ kind: "grid" }), () => ({ length: 1e9 }), () => ({ byteLength: 1e9 }), () => 5n, () => new Date(0), () => new Map(),
		() => new Uint8Array(0), () => new Uint8Array(5), () => new Uint8Array(1e5), () => new Float32Array([NaN, 1]), () => new Float32Array(6), () => new Float64Array(3), () => new ArrayBuffer(8), () => new Uint8ClampedArray(192),
		() => new DataView(new ArrayBuffer(3)), () => new Float32Array(new ArrayBuffer(16), 4, 2), () => ({ rate: 16000, samples: new Float32Array(10) }), () => ({ rate: null }), () => ({ data: null }), () => "sampling", () => "interior:1e-300", () => "k-means:1000000",
	];

	/** A request with something changed, at any depth. */
	function changed(of) {
		const name = one([...Object.keys(of), "type", "draft", "features", "embedding", "picture"]);
		const inner = of[name];
		if (inner && Object.getPrototypeOf(inner) === Object.prototype && random() < 0.7) return { ...of, [name]: changed(inner) };
		return { ...of, [name]: one(JUNK)() };
	}

	const CODES = ["bad-image", "bad-sound", "silent", "bad-weights", "wrong-network", "bad-argument", "unknown-class", "unknown-example", "empty", "changed", "internal"];

	function answer({ seed, steps }) {
		state = seed | 0;
		for (const request of [{ type: "begin", method: {} }, { type: "commit" }, { type: "addClass", classId: "a", label: "a" }, { type: "addClass", classId: "b", label: "b" }]) call(request);
		// Some engines know something to begin with, where the features have not got another shape.
		for (const [i, classId] of random() < 0.7 ? ["a", "b"].entries() : []) {
			try {
				call({ type: "addExample", classId, exampleId: String(i), ...(network ? { picture: pixels(side) } : shown()) });
			} catch (error) {
				if (network || error.code !== "bad-argument") throw error;
			}
		}
		const sent = [];
		const text = (request) => JSON.stringify(request, (_, v) => (typeof v === "bigint" ? v + "n" : typeof v === "number" && !Number.isFinite(v) ? String(v) : ArrayBuffer.isView(v) || v instanceof ArrayBuffer ? v.constructor.name + " of " + v.byteLength : typeof v === "string" && v.length > 100 ? v.slice(0, 100) + "…" : v));
		for (let step = 0; step < steps; step++) {
			const type = one(Object.keys(REQUESTS));
			let request = { type, ...REQUESTS[type]() };
			for (let n = one([0, 1, 1, 2]); n > 0; n--) request = changed(request);
			if (request.type === "crash") continue;
			sent.push(text(request));
			try {
				call(request);
			} catch (error) {
				if (isDown()) return { wrong: "the engine is down: " + JSON.stringify(said), sent };
				if (!CODES.includes(error.code)) return { wrong: "error " + error.code + ": " + error.message, sent };
			}
			if (memoryBytes() > 400e6) return { wrong: "the engine has come to take " + memoryBytes() + " bytes", sent };
		}
		return { wrong: "", types: Object.keys(REQUESTS), sent: [] };
	}`

// FuzzRequests sends the engine, compiled to WebAssembly, requests that are wrong in some
// way, in a sequence that follows from a seed: the engine refuses or answers them, in
// time, and lives on.
func FuzzRequests(f *testing.F) {
	engine := compiled(f)
	network := written(f, networktest.ResNet12([]int{4, 4, 4, 4}, 32, 1))
	engines := []*nodetest.Program{nodetest.Start(f, asks, engine, network, "none"), nodetest.Start(f, asks, engine, "none", "none")}
	for seed := range 40 {
		f.Add(uint32(seed), uint8(20), seed%2 == 0)
	}
	f.Fuzz(func(t *testing.T, seed uint32, steps uint8, features bool) {
		which := engines[0]
		if features {
			which = engines[1]
		}
		answered(t, which, seed, steps)
	})
}

// FuzzSoundRequests does the same to the engine that hears: recordings in files, whole and
// damaged, samples of any rate, and spectrograms.
func FuzzSoundRequests(f *testing.F) {
	engine := compiled(f, "-tags=sound")
	network := written(f, networktest.ResNet12([]int{4, 4, 4, 4}, 80, 1))
	hears := nodetest.Start(f, asks, engine, network, nodetest.Root()+"/core/sound/testdata")
	for seed := range 40 {
		f.Add(uint32(seed), uint8(20))
	}
	f.Fuzz(func(t *testing.T, seed uint32, steps uint8) { answered(t, hears, seed, steps) })
}

// answered fails unless an engine bears so many requests that follow from the seed.
func answered(t *testing.T, which *nodetest.Program, seed uint32, steps uint8) {
	t.Helper()
	var got struct {
		Wrong       string
		Sent, Types []string
	}
	if err := which.Ask(t, map[string]any{"seed": seed, "steps": steps % 64}, &got); err != nil {
		which.Restart()
		t.Fatalf("seed %d: %s %s", seed, err.Message, err.Stack)
	}
	if got.Wrong != "" {
		which.Restart()
		t.Fatalf("seed %d: %s\n%q", seed, got.Wrong, got.Sent)
	}
	slices.Sort(got.Types)
	if want := types(t); !slices.Equal(got.Types, want) {
		t.Errorf("requests of the types %q, and the engine knows %q", got.Types, want)
	}
}

// compiled returns the path of the engine, compiled to WebAssembly with flags of go build.
func compiled(tb testing.TB, flags ...string) string {
	tb.Helper()
	engine := filepath.Join(tb.TempDir(), "engine.wasm")
	build := exec.Command("go", append(append([]string{"build"}, flags...), "-o", engine, "./engine")...)
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if out, err := build.CombinedOutput(); err != nil {
		tb.Fatalf("building the engine: %v\n%s", err, out)
	}
	return engine
}

// written returns the path of a file of weights.
func written(tb testing.TB, w *weights.File) string {
	tb.Helper()
	var small bytes.Buffer
	require.NoError(tb, w.Encode(&small, weights.F32))
	path := filepath.Join(tb.TempDir(), "small.safetensors")
	require.NoError(tb, os.WriteFile(path, small.Bytes(), 0o600))
	return path
}

// The engine of the page does not learn from a network whose weights are all 0.
func TestNetworkThatSaysNothing(t *testing.T) {
	dead := networktest.ResNet12([]int{4, 4, 4, 4}, 32, 1)
	for _, weights := range dead.Tensors {
		clear(weights.Data)
	}
	page := nodetest.Start(t, `
		const [engine, weights] = process.argv.slice(-2);
		import { readFileSync } from "node:fs";
		globalThis.self = { postMessage() {} };
		await import(ROOT + "wasm/npm/wasm_exec.js");
		const { call, run } = await import(ROOT + "wasm/npm/program.js");
		await run(await WebAssembly.compile(readFileSync(engine)));
		call({ type: "init", method: {}, weights: new Uint8Array(readFileSync(weights)) });
		call({ type: "addClass", classId: "a", label: "a" });
		const answer = (picture) => call({ type: "addExample", classId: "a", exampleId: "1", picture: { ...picture, data: new Uint8Array(192).fill(7) } });`,
		compiled(t), written(t, dead))
	var reply any
	err := page.Ask(t, map[string]int{"width": 8, "height": 8}, &reply)
	if err == nil || err.Code != "bad-argument" || !strings.Contains(err.Message, "the same value in all channels") {
		t.Errorf("%v, error %+v", reply, err)
	}
}

// types lists the types of requests that the engine supports, except the crash.
func types(tb testing.TB) []string {
	tb.Helper()
	text := require.Value(os.ReadFile("npm/protocol.d.ts"))(tb)
	var all []string
	for _, match := range regexp.MustCompile(`(?m)^ +type: "(\w+)";`).FindAllSubmatch(text, -1) {
		if name := string(match[1]); name != "crash" {
			all = append(all, name)
		}
	}
	slices.Sort(all)
	return all
}
