//go:build !js

package page_test

import (
	"math"
	"testing"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/internal/browsertest"
)

// Options can change while the engine answers, and examples stay.
func TestPageConfigures(t *testing.T) {
	_, b := newSite(t)
	got := browsertest.Eval[struct {
		Before, Cool, Hot, Sampled, Fresh, Back []answer.Score
		Answered                                int
		Progress                                [][2]int
		Crops                                   int
		Examples                                int
		Original, Seen                          int
		Embedder                                string
		Aborted                                 string
		Refused, Broken                         failure
	}](b, `(async () => {
		const engine = await taught();
		const large = (r, g, b) => { const p = new Uint8Array(3 * 80 * 80); for (let i = 0; i < p.length; i += 3) p.set([r, g + (i / 3) % 40, b + (i / 240) % 30], i); return { width: 80, height: 80, data: p }; };
		await engine.addExample("red", large(200, 30, 20), { id: "large" });
		const query = large(190, 40, 30);
		const before = (await engine.classify(query)).scores;
		await engine.configure({ classifier: "prototype" }); // the mixture's scores are calibrated
		const cool = (await engine.classify(query)).scores;
		await engine.configure({ temperature: 25 });
		const hot = (await engine.classify(query)).scores;
		await engine.configure({ temperature: undefined, classifier: undefined });

		// Answers go on while pictures are embedded anew, and one more comes meanwhile.
		const progress = [];
		let changing = true;
		const embedder = { kind: "sampling", patches: 3, seed: 1 };
		const change = engine.configure({ embedder }, { onProgress: (done, total) => progress.push([done, total]) }).finally(() => { changing = false; });
		await engine.addExample("blue", large(20, 30, 200), { id: "late" });
		let answered = 0;
		while (changing) { await engine.classify(query); answered++; }
		await change;
		const sampled = (await engine.classify(query)).scores;
		const { crops } = engine.info;
		const kind = (await engine.network()).embedder.kind;
		const fresh = await DeepEMD.create({ weights: small, embedder });
		for (const { id, label, examples } of engine.classes) {
			await fresh.addClass(label, { id });
			for (const e of examples) await fresh.addExample(id, { width: e.size, height: e.size, data: e.pixels }, { id: e.id });
		}
		const other = (await fresh.classify(query)).scores;
		fresh.dispose();

		const refused = await failure(engine.configure({ embedder: { kind: "sampling", patches: -3 } }));
		const broken = await failure(engine.configure({ weights: new TextEncoder().encode("no weights").buffer }));
		const stop = new AbortController();
		const aborted = engine.configure({ embedder: { kind: "grid" } }, { signal: stop.signal, onProgress: () => stop.abort() }).then(() => "", (e) => e.name);
		const name = await aborted;
		await engine.configure({ embedder: { kind: "fcn" } });
		await engine.removeExample("late");
		const large_ = engine.classes.find((c) => c.id === "red").examples.find((e) => e.id === "large");
		const back = (await engine.classify(query)).scores;
		return { before, cool, hot, sampled, fresh: other, back, answered, progress, crops, examples: engine.classes.flatMap((c) => c.examples).length, original: large_.original?.size ?? 0, seen: large_.size, embedder: kind, aborted: name, refused, broken };
	})()`)
	for i, s := range got.Cool {
		if d := math.Abs(got.Hot[i].Logit - 2*s.Logit); d > 1e-3*math.Abs(s.Logit) {
			t.Errorf("at twice the temperature %v, at once %v", got.Hot[i], s)
		}
	}
	if got.Crops != 3 || got.Embedder != "sampling" {
		t.Errorf("%d crops by %s, want 3 by sampling", got.Crops, got.Embedder)
	}
	for i, s := range got.Fresh {
		if math.Abs(got.Sampled[i].Logit-s.Logit) > 1e-5 || got.Sampled[i].ID != s.ID {
			t.Errorf("scores %v after the change, of an engine started so %v", got.Sampled[i], s)
		}
	}
	if got.Answered == 0 {
		t.Error("no answers came while pictures were embedded anew")
	}
	if n := len(got.Progress); n == 0 || got.Progress[n-1][0] != got.Progress[n-1][1] {
		t.Errorf("progress %v", got.Progress)
	}
	for i, s := range got.Before {
		if math.Abs(got.Back[i].Logit-s.Logit) > 1e-2*math.Abs(s.Logit)+1e-3 {
			t.Errorf("back at the first embedder %v, before %v", got.Back[i], s)
		}
	}
	if got.Original <= got.Seen {
		t.Errorf("an original of side %d beside pixels of side %d", got.Original, got.Seen)
	}
	if got.Aborted != "AbortError" {
		t.Errorf("stopped with %q", got.Aborted)
	}
	got.Refused.Check(t, "bad-argument", "patches")
	got.Broken.Check(t, "bad-weights", "weights")
	b.NoProblems()
}

// dispose also ends the worker that embeds the pictures again.
func TestPageDisposesWhileItConfigures(t *testing.T) {
	_, b := newSite(t)
	got := browsertest.Eval[failure](b, `(async () => {
		const engine = await taught(), embedded = [];
		const onProgress = (done) => {
			embedded.push(done);
			engine.dispose();
		};
		const { code } = await failure(engine.configure({ embedder: { kind: "sampling", patches: 3 } }, { onProgress }));
		return { code, message: embedded.join() };
	})()`)
	got.Check(t, "disposed")
	if got.Message != "1" {
		t.Errorf("embedded %s, want only the first", got.Message)
	}
	b.NoProblems()
}

// A change fails if its worker crashes while the change waits for an example, and the engine goes on.
func TestPageConfiguresWithAWorkerThatCrashes(t *testing.T) {
	_, b := newSite(t)
	got := browsertest.Eval[struct{ Example, Change, Later failure }](b, `(async () => {
		const Real = Worker, workers = [];
		let held;
		window.Worker = class extends Real {
			constructor(...args) { super(...args); workers.push(this); }
			postMessage(...args) {
				if (this === workers[0] && args[0].exampleId === "text") held = () => super.postMessage(...args);
				else super.postMessage(...args);
			}
		};
		const engine = await taught();
		const example = failure(engine.addExample("red", new Blob(["no picture"]), { id: "text" }));
		let change;
		await new Promise((resolve) => {
			change = failure(engine.configure({ embedder: { kind: "grid" } }, { onProgress: (done, total) => done === total && resolve() }));
		});
		while (!held) await new Promise((resolve) => setTimeout(resolve, 10));
		workers[1].onerror(new ErrorEvent("error", { message: "out of luck" }));
		held();
		return { example: await example, change: await change, later: await failure(engine.classify(plain(255, 0, 0))) };
	})()`)
	got.Example.Check(t, "bad-image")
	got.Change.Check(t, "crashed", "out of luck")
	got.Later.Check(t, "none", `"label":"red"`)
	b.NoProblems()
}

// Unsuitable examples and unknown pictures are reported, and classes can be disabled, also after a
// crash.
func TestPageReviews(t *testing.T) {
	_, b := newSite(t)
	got := browsertest.Eval[struct {
		Review struct {
			Examples []struct {
				ID, ClassID, Taken string
				Margin             float64
			}
			Known, Unknown []float64
			Balanced       float64
			Reach          float64
			Estimated      bool
		}
		Lenient, Strict struct {
			Unknown          bool
			Score, Threshold float64
		}
		Enabled []string
	}](b, `(async () => {
		const engine = await taught();
		for (const [id, ...rgb] of [["red", 200, 40, 30], ["blue", 30, 40, 190], ["green", 40, 190, 30]]) {
			if (engine.classes.some((c) => c.id === id)) await engine.addExample(id, plain(...rgb));
		}
		const review = await engine.review();
		const query = plain(120, 120, 120);
		await engine.configure({ strictness: 0 });
		const lenient = (await engine.classify(query, { unknown: true })).unknown;
		await engine.configure({ strictness: 1 });
		const strict = (await engine.classify(query, { unknown: true })).unknown;
		await engine.enableClass("red", false);
		const restarted = next(engine, "restart");
		await engine[crash]("panic").catch(() => {});
		await restarted;
		const enabled = (await engine.classify(query)).scores.map((s) => s.id);
		return { review, lenient, strict, enabled };
	})()`)
	if len(got.Review.Examples) == 0 || len(got.Review.Known) == 0 || got.Review.Estimated {
		t.Errorf("review %+v", got.Review)
	}
	if between := got.Strict.Threshold - got.Lenient.Threshold; !(math.Abs(between-2*got.Review.Reach) <= 1e-9) || got.Review.Reach <= 0 || got.Strict.Score != got.Lenient.Score {
		t.Errorf("lenient %+v, strict %+v: want thresholds twice the reach of %v apart", got.Lenient, got.Strict, got.Review.Reach)
	}
	for _, id := range got.Enabled {
		if id == "red" {
			t.Error("a disabled class is considered after a restart")
		}
	}
	if len(got.Enabled) == 0 {
		t.Error("no class is considered")
	}
	b.NoProblems()
}
