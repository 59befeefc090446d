//go:build !js

package page_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/core/project/archive"
	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/internal/require"
)

// matcherScript has an engine with a network, whose embeddings a matcher is given.
const matcherScript = `
	const engine = await taught();
	const { regions } = await engine.embed(canvas);
	const shape = { name: "small", nodes: 4, channels: 32 };
	/** An engine for what another network makes, taught what the first one knows. */
	const matching = async (options = {}) => {
		const matcher = await DeepEMD.matcher({ ...shape, regions, ...options });
		for (const { id, label, examples } of engine.classes) {
			await matcher.addClass(label, { id });
			for (const { id: example, embedding } of examples) await matcher.addExample(id, { embedding }, { id: example });
		}
		return matcher;
	};
	const embedded = async (source) => (await engine.embed(source)).data;
	const queries = [plain(200, 40, 60), plain(90, 100, 110), plain(30, 90, 200)];
`

// A matcher with the embeddings of a network gives the answers of the network's engine up to
// rounding, which depends on the batches of the head. It fetches no weights, and restores everything
// after a crash.
func TestMatcher(t *testing.T) {
	_, b := newSite(t)
	got := browsertest.Eval[struct {
		Info struct {
			Name            string
			Features        bool
			Nodes, Channels int
		}
		Network                           json.RawMessage
		Stages                            []string
		Here, There, Again, Bare, Learned []json.RawMessage
		Why, WhyThere                     string
		Review, ReviewThere               json.RawMessage
		Trained                           bool
		Weights                           failure
		All                               string
		Kept                              []int
	}](b, `(async () => {`+matcherScript+`
		await engine.addExample("red", plain(180, 60, 50), { id: "another" });
		const stages = new Set();
		const matcher = await matching({ onProgress: ({ stage }) => stages.add(stage) });
		const said = async (of, ask) => {
			const list = [];
			for (const query of queries) {
				const { scores, unknown } = await of.classify(await ask(query));
				list.push({ scores, unknown });
			}
			return list;
		};
		const why = ({ example, score, query, support, flow }) => JSON.stringify([example.id, score, query, support, flow]);
		const here = await said(engine, (q) => q), there = await said(matcher, async (q) => ({ embedding: await embedded(q) }));
		const bare = await said(matcher, embedded);
		const reasons = [why(await engine.explain({ source: queries[0] })), why(await matcher.explain({ source: { embedding: await embedded(queries[0]) } }))];
		const reviews = [await engine.review(), await matcher.review()];
		for (const { examples } of reviews) for (const e of examples) { delete e.problem; delete e.twin; }
		const all = await matcher.classifyAll(await Promise.all(queries.map(embedded)));
		const restarted = next(matcher, "restart");
		await failure(matcher[crash]("panic"));
		await restarted;
		const again = await said(matcher, embedded);
		await matcher.train({ passes: 3, check: false });
		await engine.train({ passes: 3, check: false });
		const learned = [await said(engine, (q) => q), await said(matcher, embedded)].map((list) => list.map(({ scores }) => scores));
		const mine = await embedded(canvas), kept = await matcher.addExample("blue", mine);
		mine.fill(0);
		return {
			info: matcher.info, network: await matcher.network(), stages: [...stages].sort(), here, there, again, bare, learned,
			why: reasons[0], whyThere: reasons[1], review: reviews[0], reviewThere: reviews[1], trained: matcher.learned === false,
			weights: await failure((async () => matcher.weights)()),
			all: all.map(({ value }) => value.scores[0].id).join(" "),
			kept: [kept.size, kept.pixels.length, matcher.classes[2].examples.at(-1).embedding.filter((v) => v !== 0).length > 0 ? 1 : 0],
		};
	})()`)
	if got.Info.Name != "small" || !got.Info.Features || got.Info.Nodes != 4 || got.Info.Channels != 32 {
		t.Errorf("info %+v", got.Info)
	}
	if want := `{"channels":32,"name":"small","nodes":4}`; canonical(t, got.Network) != want {
		t.Errorf("network %s, want %s", got.Network, want)
	}
	if want := []string{"engine", "ready"}; !slices.Equal(got.Stages, want) {
		t.Errorf("what arrives: %v, want %v", got.Stages, want)
	}
	for i := range got.Here {
		for name, list := range map[string][]json.RawMessage{"the matcher": got.There, "without an object around it": got.Bare, "after a crash": got.Again} {
			if !alike(t, list[i], got.Here[i]) {
				t.Errorf("query %d, %s: %s, the engine %s", i, name, list[i], got.Here[i])
			}
		}
	}
	if len(got.Learned) != 2 || canonical(t, got.Learned[0]) != canonical(t, got.Learned[1]) {
		t.Errorf("learned: %s", got.Learned)
	}
	if got.Why != got.WhyThere {
		t.Errorf("explained by %s, the engine by %s", got.WhyThere, got.Why)
	}
	if !alike(t, got.Review, got.ReviewThere) {
		t.Errorf("review %s, the engine's %s", got.ReviewThere, got.Review)
	}
	got.Weights.Check(t, "bad-argument", "no weights")
	if got.All != "red green blue" && !strings.HasPrefix(got.All, "red ") {
		t.Errorf("all: %s", got.All)
	}
	if !slices.Equal(got.Kept, []int{0, 0, 1}) {
		t.Errorf("an example without a picture: size, bytes and whether the embedding is a copy: %v", got.Kept)
	}
	b.NoProblems()
}

// canonical is JSON with its keys in order.
func canonical(t *testing.T, text json.RawMessage) string {
	t.Helper()
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	out := require.Value(json.Marshal(v))(t)
	return string(out)
}

// alike reports whether two JSON values are equal up to rounding.
func alike(t *testing.T, a, b json.RawMessage) bool {
	t.Helper()
	var values [2]any
	for i, text := range []json.RawMessage{a, b} {
		if err := json.Unmarshal(text, &values[i]); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
	}
	return same(values[0], values[1])
}

func same(a, b any) bool {
	switch a := a.(type) {
	case float64:
		b, ok := b.(float64)
		return ok && math.Abs(a-b) <= 1e-6*(1+math.Abs(a))
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, same)
	case map[string]any:
		b, ok := b.(map[string]any)
		return ok && maps.EqualFunc(a, b, same)
	}
	return a == b
}

// A matcher rejects unsuitable inputs with the remedy.
func TestMatcherRefuses(t *testing.T) {
	_, b := newSite(t)
	got := browsertest.Eval[map[string]failure](b, `(async () => {`+matcherScript+`
		const matcher = await matching();
		const found = {};
		for (const [name, options] of Object.entries({
			nothing: undefined, "no shape": {}, "no channels": { nodes: 4 }, half: { nodes: 4, channels: 1.5 }, one: { nodes: 4, channels: 1 },
			weights: { ...shape, weights: small }, sound: { ...shape, sound: true }, pyramid: { ...shape, pyramid: [1] }, misspelled: { ...shape, chanels: 3 },
			regions: { ...shape, regions: [0, 0, 1, 1] }, inverted: { ...shape, regions: Array(16).fill(1) }, backbone: { ...shape, backbone: () => {} },
		})) found["make " + name] = await failure(DeepEMD.matcher(options));
		const good = await embedded(canvas);
		for (const [name, source] of Object.entries({
			picture: canvas, text: "cat.jpg", nothing: undefined, short: { embedding: good.slice(1) }, zero: new Float32Array(128),
			nan: good.map((v, i) => (i === 40 ? NaN : v)), list: { embedding: [...good] }, bytes: new Uint8Array(128), gone: structuredClone(good, { transfer: [] }).subarray(0, 0),
		})) {
			found[name] = await failure(matcher.addExample("red", source));
			const again = await failure(matcher.classify(source));
			if (again.code !== found[name].code) found[name] = again;
		}
		found["bad thumbnail"] = await failure(matcher.addExample("red", good, { thumbnail: new Blob(["a letter"]) }));
		found["thumbnail of a picture"] = await failure(engine.addExample("red", canvas, { thumbnail: canvas }));
		found.embedder = await failure(matcher.configure({ embedder: { kind: "grid" } }));
		found.workers = await failure(matcher.configure({ workers: 2 }));
		found["create with a shape"] = await failure(DeepEMD.create({ weights: small, nodes: 3 }));
		found.zeroes = await failure(engine.classify({ embedding: new Float32Array(128) }));
		await matcher.configure({ classifier: "nearest", temperature: 3 });
		await matcher.configure({ method: { embedder: { kind: "grid" }, classifier: "fusion" } });
		found.alive = { code: matcher.method.classifier + " " + matcher.method.embedder.kind + " " + matcher.classes.flatMap((c) => c.examples).length, message: "" };
		return found;
	})()`)
	for name, want := range map[string][]string{
		"make nothing": {"bad-argument"}, "make no shape": {"bad-argument", "nodes", "channels"}, "make no channels": {"bad-argument", "channels"},
		"make half": {"bad-argument", "1.5"}, "make one": {"bad-argument", "2 to"}, "make weights": {"bad-argument", "weights", "leave it out"},
		"make sound": {"bad-argument", "sound"}, "make pyramid": {"bad-argument", "pyramid"}, "make misspelled": {"bad-argument", `"channels"`},
		"make regions": {"bad-argument", "16 numbers"}, "make inverted": {"bad-argument", "region 0"}, "make backbone": {"bad-argument", "backbone"},
		"picture": {"bad-argument", "{ embedding }", "4×32"}, "text": {"bad-argument", "backbone"}, "nothing": {"bad-argument"},
		"short": {"bad-argument", "127", "4×32"}, "zero": {"bad-argument", "as if all features were 0"}, "nan": {"bad-argument", "node 1", "NaN"},
		"list": {"bad-argument", "Float32Array"}, "bytes": {"bad-argument"}, "gone": {"bad-argument", "0 values", "transferred"},
		"bad thumbnail": {"bad-image"}, "thumbnail of a picture": {"bad-argument", "thumbnail"}, "embedder": {"bad-argument", "embedder"},
		"workers": {"bad-argument", "workers"}, "create with a shape": {"bad-argument", "nodes"}, "zeroes": {"bad-argument", "as if all features were 0"},
		"alive": {"fusion fcn 3"},
	} {
		got[name].Check(t, want[0], want[1:]...)
		if t.Failed() {
			t.Fatalf("%s: %+v", name, got[name])
		}
	}
	b.NoProblems()
}

// Go and engines for the same features open the projects of a matcher, with or without thumbnails.
// Other engines reject them, and it rejects other projects.
func TestMatcherKeepsProjects(t *testing.T) {
	_, b := newSite(t)
	got := browsertest.Eval[struct {
		File                   string
		Query                  []float32
		Here, There, Later     []answer.Score
		Sizes                  []int
		Same                   bool
		Method                 string
		Name, Shape, In, Other failure
		Blank, After           failure
	}](b, `(async () => {`+projectScript+matcherScript+`
		const matcher = await matching({ classifier: "nearest" });
		await matcher.addExample("blue", { embedding: await embedded(canvas) }, { thumbnail: canvas, id: "shown" });
		await matcher.addExample("blue", { embedding: await embedded(plain(1, 2, 99)) }, { thumbnail: "/pictures/a.png" });
		const query = await embedded(queries[1]);
		const file = await saveProject(matcher, { name: "Mine" });
		const other = await DeepEMD.matcher(shape);
		await openProject(other, file);
		const later = await DeepEMD.create({ name: "small", backbone: async (source) => engine.embed(source) });
		await openProject(later, file);
		const pictures = await saveProject(engine);
		const shown = (e) => e.classes[2].examples.map(({ size }) => size);
		return {
			file: await base64(file), query: [...query],
			here: (await matcher.classify(query)).scores, there: (await other.classify({ embedding: query })).scores, later: (await later.classify(queries[1])).scores,
			sizes: shown(other), same: String(other.classes[2].examples[1].pixels) === String(matcher.classes[2].examples[1].pixels), method: other.method.classifier,
			name: await failure(openProject(await DeepEMD.matcher({ ...shape, name: "theirs" }), file)),
			shape: await failure(openProject(await DeepEMD.matcher({ ...shape, nodes: 2, channels: 64 }), file)),
			in: await failure(openProject(engine, file)), other: await failure(openProject(matcher, pictures)),
			blank: await failure(openProject(await DeepEMD.create({ backbone: () => {} }), file)),
			after: await failure(matcher.classify(query)),
		};
	})()`)
	if len(got.Here) != 3 || !slices.Equal(got.Here, got.There) || !slices.Equal(got.Here, got.Later) {
		t.Errorf("scores %v, after opening %v and, by a backbone, %v", got.Here, got.There, got.Later)
	}
	if !slices.Equal(got.Sizes, []int{0, 96, 96}) || !got.Same || got.Method != "nearest" {
		t.Errorf("thumbnails of %v pixels (the same: %v), method %s", got.Sizes, got.Same, got.Method)
	}
	got.Name.Check(t, "wrong-network", `"small"`, `"theirs"`)
	got.Shape.Check(t, "wrong-network", "4×32", "2×64")
	got.In.Check(t, "wrong-kind", "features", "DeepEMD.matcher")
	got.Other.Check(t, "wrong-kind", "pictures", "DeepEMD.create()")
	got.Blank.Check(t, "wrong-network", `"small"`)
	got.After.Check(t, "none")

	data := unbase64(t, got.File)
	file := require.Value(archive.Read(bytes.NewReader(data), int64(len(data))))(t)
	if m := file.Manifest; m.Kind != project.KindFeatures || m.Network.Name != "small" || m.Network.SHA256 != "" || m.Preprocess != nil || m.Classes[2].Examples[0].Picture != "" {
		t.Errorf("manifest %+v", m)
	}
	on := require.Value(learner.NewFromFeatures(learner.Shape{Name: "small", Nodes: 4, Channels: 32}, learner.Options{Kit: learner.CommonParts()}))(t)
	native := require.Value(archive.Open(file, on))(t)
	answer := require.Value(native.Model().Classify(learner.Picture{Embedding: got.Query}))(t)
	for i, s := range answer.Scores {
		if d := s.Score - got.Here[i].Score; s.ID != got.Here[i].ID || d > 1e-4 || d < -1e-4 {
			t.Errorf("natively %+v, in the page %+v", s, got.Here[i])
		}
	}
	if seen := native.Classes()[2].Examples[1].Seen; seen == nil || seen.Width != 96 {
		t.Errorf("the thumbnail is %+v", seen)
	}
	b.NoProblems()
}

// Any function can compute features: it gets the sources unchanged, one at a time, and its results
// are matched like the map of a network.
func TestBackbone(t *testing.T) {
	_, b := newSite(t)
	got := browsertest.Eval[struct {
		Here, There, Again []answer.Score
		Before, After      []int
		Name               string
		Sizes              map[string]int
		Sources            []string
		Together           int
		Signal             bool
		Ms                 []float64
		Pixels             []int
		Failures           map[string]failure
	}](b, `(async () => {`+matcherScript+`
		let running = 0, together = 0, signal;
		const sources = [];
		const texts = { rain: plain(1, 250, 3), soup: plain(250, 20, 3) };
		const eye = await DeepEMD.create({
			name: "texts and pictures",
			backbone: async (source, how) => {
				together = Math.max(together, ++running);
				sources.push(typeof source === "string" ? source : source.constructor.name);
				signal ??= how.signal;
				await new Promise((resolve) => setTimeout(resolve, 20));
				const { data, nodes, channels } = await engine.embed(texts[source] ?? source);
				running--;
				return { data: Array.from(data), nodes, channels, regions };
			},
		});
		const before = [eye.info.nodes, eye.info.channels];
		for (const { id, label } of engine.classes) await eye.addClass(label, { id });
		const png = await canvas.convertToBlob();
		const sizes = {};
		const add = async (name, id, source) => (sizes[name] = (await eye.addExample(id, source)).size);
		await Promise.all([add("pixels", "red", plain(220, 30, 20)), add("text", "green", "rain"), add("canvas", "blue", canvas), add("file", "blue", new File([png], "a.png"))]);
		for (const [id, ...pixels] of [["green", 1, 250, 3], ["blue", 20, 30, 240], ["blue", 20, 30, 240]]) await engine.addExample(id, plain(...pixels));
		await engine.removeExample(engine.classes[1].examples[0].id);
		await engine.removeExample(engine.classes[2].examples[0].id);
		const aborting = new AbortController();
		const answer = await eye.classify(queries[0], { pixels: true, signal: aborting.signal });
		const { scores: here } = await engine.classify(queries[0]);
		const restarted = next(eye, "restart");
		await failure(eye[crash]("exit"));
		await restarted;
		const again = (await eye.classify(queries[0], { explain: true })).scores;
		const failures = {};
		const broken = async (name, backbone, ask = (e) => e.addExample("a", "anything")) => {
			const e = await DeepEMD.create({ backbone, timeout: 3000 });
			await e.addClass("a", { id: "a" });
			failures[name] = await failure(ask(e));
			e.dispose();
		};
		await broken("throws", () => { throw new Error("no GPU here"); });
		await broken("rejects", async () => Promise.reject("tired"));
		await broken("nothing", async () => undefined);
		await broken("a list", async () => [1, 2, 3]);
		await broken("short", async () => ({ data: new Float32Array(7), nodes: 2, channels: 4 }));
		await broken("bytes", async () => ({ data: new Uint8Array(8), nodes: 2, channels: 4 }));
		await broken("no shape", async () => ({ data: new Float32Array(8) }));
		await broken("nan", async () => ({ data: new Float32Array(8).fill(NaN), nodes: 2, channels: 4 }));
		await broken("zero", async () => ({ data: new Float32Array(8), nodes: 2, channels: 4 }));
		await broken("one channel", async () => ({ data: [1, 2], nodes: 2, channels: 1 }));
		let turn = 0;
		await broken("another shape", async () => ({ data: Float32Array.from({ length: 8 }, (_, i) => i), nodes: turn ? 4 : 2, channels: turn++ ? 2 : 4 }), async (e) => {
			await e.addExample("a", 1);
			await e.classify(2);
		});
		await broken("features too early", async () => undefined, (e) => e.addExample("a", new Float32Array(8)));
		await broken("aborted", (_, { signal }) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))), async (e) => {
			const stop = new AbortController(), call = e.addExample("a", "anything", { signal: stop.signal });
			setTimeout(() => stop.abort(new DeepEMDError("empty", "stopped")), 50);
			await call;
		});
		for (const [name, options] of Object.entries({ "no function": { backbone: "resnet" }, weights: { backbone: () => {}, weights: small }, half: { backbone: () => {}, nodes: 3 } })) {
			failures[name] = await failure(DeepEMD.create(options));
		}
		return {
			here, there: answer.scores, again, before, after: [eye.info.nodes, eye.info.channels], name: eye.info.name, sizes, sources: sources.slice(0, 4).sort(), together,
			signal: signal instanceof AbortSignal, ms: [answer.ms, answer.embedMs], pixels: [answer.pixels.width, answer.pixels.data.length], failures,
		};
	})()`)
	if !slices.Equal(got.Before, []int{0, 0}) || !slices.Equal(got.After, []int{4, 32}) || got.Name != "texts and pictures" {
		t.Errorf("nodes and channels %v, after the first answer %v, of %q", got.Before, got.After, got.Name)
	}
	if len(got.Here) != 3 || len(got.There) != 3 {
		t.Fatalf("scores %v, with the backbone %v", got.Here, got.There)
	}
	for i, want := range got.Here {
		for _, s := range []answer.Score{got.There[i], got.Again[i]} {
			if d := s.Score - want.Score; s.ID != want.ID || d > 1e-6 || d < -1e-6 {
				t.Errorf("%+v, with the network inside %+v", s, want)
			}
		}
	}
	if s := got.Sizes; s["pixels"] != 96 || s["canvas"] != 96 || s["file"] != 96 || s["text"] != 0 {
		t.Errorf("thumbnails %v", s)
	}
	if want := []string{"File", "Object", "OffscreenCanvas", "rain"}; !slices.Equal(got.Sources, want) || got.Together != 1 || !got.Signal {
		t.Errorf("sources %v, want %v; %d at once; signal: %v", got.Sources, want, got.Together, got.Signal)
	}
	if got.Ms[0] < 20 || got.Ms[1] < 19 || got.Ms[1] > got.Ms[0] {
		t.Errorf("%v ms, of which %v in the backbone", got.Ms[0], got.Ms[1])
	}
	if !slices.Equal(got.Pixels, []int{96, 96 * 96 * 3}) {
		t.Errorf("pixels of an answer: %v", got.Pixels)
	}
	for name, want := range map[string][]string{
		"throws": {"backbone", "no GPU here"}, "rejects": {"backbone", "tired"}, "nothing": {"backbone", "{ data, nodes, channels }"}, "a list": {"backbone", "nodes"},
		"short": {"backbone", "2×4, 8 numbers"}, "bytes": {"backbone", "Uint8Array"}, "no shape": {"backbone", "undefined nodes"}, "nan": {"backbone", "not finite"},
		"zero": {"bad-argument", "as if all features were 0"}, "one channel": {"backbone", "2 to"}, "another shape": {"backbone", "4×2", "2×4"},
		"features too early": {"bad-argument", "unknown"}, "aborted": {"empty", "stopped"}, "no function": {"bad-argument", "a function"},
		"weights": {"bad-argument", "leave it out"}, "half": {"bad-argument", "both"},
	} {
		got.Failures[name].Check(t, want[0], want[1:]...)
		if t.Failed() {
			t.Fatalf("%s: %+v", name, got.Failures[name])
		}
	}
	b.NoProblems()
}
