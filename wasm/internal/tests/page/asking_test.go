//go:build !js

package page_test

import (
	"math"
	"slices"
	"testing"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/internal/require"
)

// TestCopies: returned data belongs to the caller, who may transfer and overwrite it. The engine
// restarts from its own copy.
func TestCopies(t *testing.T) {
	_, b := newSite(t)
	got := browsertest.Eval[struct {
		Before, After, Saved []answer.Score
		Cloned, Restarted    bool
		Same, Keys           bool
		Original             int
		Weights              int
	}](b, `(async () => {
		const { openProject, saveProject } = await import("/deepemd/project.js");
		const engine = await DeepEMD.create({ weights: small });
		const give = (...parts) => structuredClone(parts, { transfer: parts.map((part) => part.buffer ?? part) });
		const picture = { width: 90, height: 80, data: new Uint8Array(90 * 80 * 3).map((_, i) => (i * 7919) % 251) };
		const gone = [];
		for (const [label, ...color] of [["red", 220, 30, 20], ["green", 20, 200, 40]]) {
			const id = await engine.addClass(label, { id: label });
			const { pixels, embedding } = await engine.addExample(id, plain(...color));
			give(pixels, embedding);
		}
		const { original } = await engine.addExample("red", picture, { id: "large" });
		give(original.pixels);
		const ask = async (e = engine) => (await e.classify(plain(90, 120, 200))).scores;
		const before = await ask();
		const explained = (await engine.explain()).example;
		explained.pixels.fill(0), explained.embedding.fill(7);
		for (const { examples } of engine.classes) for (const e of examples) give(e.pixels, e.embedding);
		const clone = structuredClone(engine.classes[0].examples[0]);
		const cloned = clone.pixels.length === clone.size ** 2 * 3 && clone.embedding.length === 128 && clone.id === engine.classes[0].examples[0].id;
		const [example] = engine.classes[0].examples;
		const same = example.pixels !== example.pixels && example.pixels.every((v, i) => v === example.pixels[i]);
		const wrapped = new Proxy(engine.classes, {})[0].examples.map((e) => new Proxy(e, {})); // as frameworks do
		if (wrapped[0].pixels.length !== example.pixels.length || wrapped[0].embedding.length !== 128) throw new Error("a wrapped example cannot be read");
		const keys = Object.keys(example).join() === "id,classId,size,pixels,embedding" || Object.keys(example).join() === "id,classId,size,pixels,embedding,original";
		give(engine.weights);
		const restarted = next(engine, "restart");
		await engine[crash]("panic").catch(() => {});
		await restarted;
		const after = await ask();
		const other = await DeepEMD.create({ weights: new Uint8Array(engine.weights) });
		const project = await saveProject(engine);
		for (const file of [await project.arrayBuffer(), new Response(project)]) await openProject(other, file);
		await engine.configure({ embedder: { kind: "grid", grid: [2] } }); // from the originals
		const large = engine.classes[0].examples.find((e) => e.id === "large");
		return {
			before, after, saved: await ask(other), cloned, same, keys, restarted: engine.classes[0].examples.length === 2,
			original: large.size, weights: engine.weights.byteLength,
		};
	})()`)
	sameScores(t, got.After, got.Before)
	sameScores(t, got.Saved, got.Before)
	if !got.Cloned || !got.Same || !got.Keys || !got.Restarted {
		t.Errorf("cloned %v, another copy when read twice %v, keys %v, restarted %v", got.Cloned, got.Same, got.Keys, got.Restarted)
	}
	if got.Original <= 32 || got.Weights == 0 {
		t.Errorf("embedded again from %d pixels; %d bytes of weights", got.Original, got.Weights)
	}
	b.NoProblems()
}

// TestAsking: many pictures at once, of all source types.
func TestAsking(t *testing.T) {
	s, b := newSite(t)
	got := browsertest.Eval[struct {
		Statuses, Labels, Codes []string
		Progress                []int
		Empty, Disposed         failure
		Addresses               []string
		Picture, Embedded       []answer.Score
		Embedding               struct {
			Nodes, Channels int
			Data, Regions   []float32
		}
		Crops  struct{ Nodes, Channels, Data, Regions int }
		Why    struct{ Query, Flow int }
		Using  string
		Before string
	}](b, `(async () => {
		const bare = await DeepEMD.create({ weights: small });
		const empty = await failure(bare.classifyAll([plain(1, 2, 3)]));
		const engine = await taught();
		const blob = await canvas.convertToBlob({ type: "image/png" });
		const address = URL.createObjectURL(blob);
		const progress = [];
		const results = await engine.classifyAll(new Set([plain(220, 30, 20), "/pictures/nowhere.jpg", blob, new Blob(["text"]), address, new URL(address), plain(20, 200, 40)]), { onProgress: (done, total) => progress.push(done, total) });
		const addresses = [];
		for (const source of [address, new URL(address)]) addresses.push((await engine.addExample("blue", source)).classId, (await engine.explain({ source })).label);

		const query = plain(90, 120, 200);
		const { nodes, channels, data, regions } = await engine.embed(query);
		const picture = (await engine.classify(query)).scores, embedded = (await engine.classify({ embedding: data })).scores;

		const grid = await taught({ embedder: { kind: "grid", grid: [1, 2] }, workers: 2 });
		const crops = await grid.embed(query);
		await grid.classify({ embedding: crops.data });
		const why = await grid.explain();

		const pending = failure(engine.classifyAll(Array(50).fill(query)));
		engine[Symbol.dispose]();
		const disposed = await pending;
		return {
			statuses: results.map((r) => r.status), labels: results.map((r) => r.value?.scores[0].label ?? ""), codes: results.map((r) => r.reason?.code ?? ""),
			progress, empty, disposed, addresses, picture, embedded,
			embedding: { nodes, channels, data: [...data], regions: [...regions] },
			crops: { nodes: crops.nodes, channels: crops.channels, data: crops.data.length, regions: crops.regions.length },
			why: { query: why.query.length, flow: why.flow.length },
			using: Symbol.dispose in DeepEMD.prototype ? "yes" : "no", before: String(bare.classes.length),
		};
	})()`)
	f, r := "fulfilled", "rejected"
	if want := []string{f, r, f, r, f, f, f}; !slices.Equal(got.Statuses, want) {
		t.Errorf("statuses %v, want %v (%v)", got.Statuses, want, got.Codes)
	}
	if want := []string{"red", "", "blue", "", "blue", "blue", "green"}; !slices.Equal(got.Labels, want) {
		t.Errorf("labels %v, want %v", got.Labels, want)
	}
	if want := []string{"", "network", "", "bad-image", "", "", ""}; !slices.Equal(got.Codes, want) {
		t.Errorf("codes %v, want %v", got.Codes, want)
	}
	if want := []int{1, 7, 2, 7, 3, 7, 4, 7, 5, 7, 6, 7, 7, 7}; !slices.Equal(got.Progress, want) {
		t.Errorf("progress %v, want %v", got.Progress, want)
	}
	got.Empty.Check(t, "empty", "add")
	got.Disposed.Check(t, "disposed", "DeepEMD.create")
	if want := []string{"blue", "blue", "blue", "blue"}; !slices.Equal(got.Addresses, want) {
		t.Errorf("by address %v", got.Addresses)
	}
	sameScores(t, got.Embedded, got.Picture)

	native := require.Value(learner.OpenWith(s.SmallWeights, learner.Options{Method: method.Default()}))(t)
	set := require.Value(native.Embed(plainPicture(90, 120, 200)))(t)
	e := got.Embedding
	if e.Nodes != set.N || e.Channels != set.C || len(e.Data) != len(set.Data) || len(e.Regions) != 4*set.N {
		t.Fatalf("%d nodes of %d channels, %d values, %d of regions; natively %d×%d", e.Nodes, e.Channels, len(e.Data), len(e.Regions), set.N, set.C)
	}
	for i, v := range set.Data {
		if math.Abs(float64(v-e.Data[i])) > 1e-3 {
			t.Errorf("value %d is %v, natively %v", i, e.Data[i], v)
			break
		}
	}
	for i, region := range set.Regions {
		if want := []float32{region.X0, region.Y0, region.X1, region.Y1}; !slices.Equal(e.Regions[4*i:4*i+4], want) {
			t.Errorf("region %d is %v, natively %v", i, e.Regions[4*i:4*i+4], want)
		}
	}
	if c := got.Crops; c.Nodes != 5 || c.Data != 5*c.Channels || c.Regions != 20 {
		t.Errorf("of a grid %+v", c)
	}
	if got.Why.Query != 5 || got.Why.Flow == 0 {
		t.Errorf("an embedding is explained by %+v", got.Why)
	}
	if got.Using != "yes" || got.Before != "0" {
		t.Errorf("Symbol.dispose: %s; classes %s", got.Using, got.Before)
	}
	b.NoProblems("nowhere.jpg", "404")
}

// plainPicture returns the page's plain.
func plainPicture(r, g, b byte) learner.Picture {
	const width, height = 40, 30
	data := make([]byte, 0, width*height*3)
	for range width * height {
		data = append(data, r, g, b)
	}
	return learner.Picture{Width: width, Height: height, Data: data}
}
