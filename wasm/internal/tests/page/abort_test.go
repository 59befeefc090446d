//go:build !js

package page_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/internal/browsertest"
)

// spiedWorkers runs in pages before deepemd.js. It records the running workers and their messages.
const spiedWorkers = `
	const running = new Set(), sent = [];
	const { postMessage, terminate } = Worker.prototype;
	Worker.prototype.postMessage = function (message, ...others) { running.add(this); sent.push(message.type); return postMessage.call(this, message, ...others); };
	Worker.prototype.terminate = function () { running.delete(this); return terminate.call(this); };
	let unhandled = "";
	window.addEventListener("unhandledrejection", (e) => { unhandled += e.reason; });
	const enough = new Error("enough");
	const aborted = () => { const c = new AbortController(); c.abort(enough); return c.signal; };
	/** What becomes of a call that is aborted after some turns of the event loop, and how long it takes to say so. */
	const during = async (call, turns = 0) => {
		const stop = new AbortController();
		const outcome = call(stop.signal).then(() => "done", (error) => (error === enough ? "enough" : String(error)));
		for (let i = 0; i < turns; i++) await new Promise((resolve) => setTimeout(resolve));
		stop.abort(enough);
		let late = false;
		setTimeout(() => { late = true; });
		const said = await outcome;
		return said + (late ? " late" : "");
	};`

// TestAbortBefore: a call whose signal is aborted sends nothing.
func TestAbortBefore(t *testing.T) {
	_, b := newSite(t)
	got := browsertest.Eval[struct {
		Outcomes        map[string]string
		Sent            []string
		Fetched         int
		Unhandled, Page string
	}](b, `(async () => {`+spiedWorkers+`
		const { openProject, saveProject } = await import("/deepemd/project.js");
		const engine = await taught();
		const file = await saveProject(engine);
		const page = JSON.stringify(engine.classes);
		const first = sent.length, fetched = performance.getEntriesByType("resource").length;
		const outcomes = {};
		for (const [name, call] of Object.entries({
			create: (signal) => DeepEMD.create({ weights: small, signal }),
			configure: (signal) => engine.configure({ solver: "dense" }, { signal }),
			embedder: (signal) => engine.configure({ pyramid: [2] }, { signal }),
			replace: (signal) => engine.replace({}, async () => {}, { signal }),
			addExample: (signal) => engine.addExample("red", plain(1, 2, 3), { signal }),
			address: (signal) => engine.addExample("red", "/pictures/blue.png", { signal }),
			classify: (signal) => engine.classify(plain(1, 2, 3), { signal }),
			classifyAll: (signal) => engine.classifyAll([plain(1, 2, 3)], { signal }),
			none: (signal) => engine.classifyAll([], { signal }),
			explain: (signal) => engine.explain({ source: plain(1, 2, 3), signal }),
			review: (signal) => engine.review({ signal }),
			train: (signal) => engine.train({ signal }),
			embed: (signal) => engine.embed(plain(1, 2, 3), { signal }),
			openProject: (signal) => openProject(engine, file, { signal }),
			saveProject: (signal) => saveProject(engine, { signal }),
		})) outcomes[name] = await call(aborted()).then(() => "done", (error) => (error === enough ? "enough" : String(error)));
		await new Promise((resolve) => setTimeout(resolve, 100));
		return {
			outcomes, unhandled, sent: sent.slice(first), fetched: performance.getEntriesByType("resource").length - fetched,
			page: page === JSON.stringify(engine.classes) ? "" : JSON.stringify(engine.classes),
		};
	})()`)
	if len(got.Outcomes) != 15 {
		t.Errorf("%d outcomes", len(got.Outcomes))
	}
	for name, outcome := range got.Outcomes {
		if outcome != "enough" {
			t.Errorf("%s: %s, want the signal's reason", name, outcome)
		}
	}
	if len(got.Sent) > 0 || got.Fetched > 0 || got.Unhandled != "" || got.Page != "" {
		t.Errorf("sent %v, fetched %d, unhandled %q, classes %s", got.Sent, got.Fetched, got.Unhandled, got.Page)
	}
	b.NoProblems()
}

// TestAbortDuring: an aborted call ends at once, without side effects.
func TestAbortDuring(t *testing.T) {
	for _, turns := range []int{0, 1, 3} {
		t.Run(fmt.Sprintf("after %d turns", turns), func(t *testing.T) {
			_, b := newSite(t)
			got := browsertest.Eval[struct {
				Outcomes       map[string]string
				Before, After  []answer.Score
				Classes, Again string
				Learned        bool
				Method         string
				Unhandled      string
				Running        int
				Explained      failure
			}](b, fmt.Sprintf(`(async () => {`+spiedWorkers+`
				const turns = %d;
				const { openProject, saveProject } = await import("/deepemd/project.js");
				const engine = await taught();
				const file = await saveProject(engine);
				for (let i = 0; i < 3; i++) await engine.addExample(["red", "green", "blue"][i], plain(90 * i, 80, 70));
				await engine.train({ passes: 3, check: false });
				const ask = async () => (await engine.classify(plain(90, 120, 200))).scores;
				const before = await ask();
				const classes = JSON.stringify(engine.classes.map((c) => [c.id, c.examples.map((e) => e.id)]));
				const outcomes = {};
				let meanwhile;
				for (const [name, call] of Object.entries({
					classify: (signal) => engine.classify(plain(1, 2, 3), { signal }),
					classifyAll: (signal) => engine.classifyAll(Array(20).fill(plain(1, 2, 3)), { signal }),
					embed: (signal) => engine.embed(plain(1, 2, 3), { signal }),
					review: (signal) => engine.review({ signal }),
					train: (signal) => engine.train({ passes: 5000, signal }),
					replace: (signal) => engine.replace({ classifier: "nearest" }, async (draft) => { await draft.addExample(await draft.addClass("x"), plain(1, 2, 3)); await new Promise(() => {}); }, { signal }),
					openProject: (signal) => openProject(engine, file, { signal }),
					saveProject: (signal) => saveProject(engine, { signal }),
					pyramid: (signal) => engine.configure({ pyramid: [2, 1] }, { signal }),
					create: (signal) => DeepEMD.create({ weights: small, signal }),
				})) outcomes[name] = await during(call, name === "classify" || name === "embed" || name === "review" || name === "saveProject" ? 0 : turns);
				const stop = new AbortController(), asked = sent.length;
				const called = failure(engine.classify(plain(1, 2, 3), { signal: stop.signal }));
				while (sent.length === asked) await null;
				stop.abort(enough);
				await called;
				const explained = await failure(engine.explain()); // that picture is not to be spoken of
				const after = await ask();
				await engine.explain();
				const learned = engine.learned;
				// These make the engine forget what it has learned.
				outcomes.solver = await during((signal) => engine.configure({ solver: "dense" }, { signal }));
				outcomes.addExample = await during((signal) => engine.addExample("red", plain(1, 2, 3), { id: "mine", signal }));
				outcomes.address = await during((signal) => engine.addExample("red", "/pictures/text.jpg", { id: "mine", signal }));
				const kept = JSON.stringify(engine.classes.map((c) => [c.id, c.examples.map((e) => e.id)]));
				await engine.addExample("red", plain(1, 2, 3), { id: "mine" }); // the id is free
				await engine.removeExample("mine");
				const restarted = next(engine, "restart"), again = await ask();
				await engine[crash]("panic").catch(() => {});
				await restarted;
				const anew = await ask();
				const same = again.every((s, i) => s.id === anew[i].id && Math.abs(s.logit - anew[i].logit) < 1e-4);
				return {
					outcomes, before, after, learned, unhandled, method: engine.method.solver + " " + engine.method.classifier + " " + engine.method.embedder.kind,
					classes: classes === kept ? "" : kept, again: same ? "" : JSON.stringify([again, anew]), running: running.size, explained,
				};
			})()`, turns))
			for name, outcome := range got.Outcomes {
				if outcome != "enough" {
					t.Errorf("%s: %s, want the signal's reason at once", name, outcome)
				}
			}
			if len(got.Outcomes) != 13 {
				t.Errorf("%d outcomes, want 13", len(got.Outcomes))
			}
			if !slices.Equal(got.Before, got.After) || !got.Learned {
				t.Errorf("scores %v, after all was aborted %v; learned: %v", got.Before, got.After, got.Learned)
			}
			if got.Classes != "" || got.Again != "" {
				t.Errorf("classes %s; before and after a restart %s", got.Classes, got.Again)
			}
			if got.Method != "simplex mixture fcn" {
				t.Errorf("method %q", got.Method)
			}
			if got.Unhandled != "" || got.Running != 1 {
				t.Errorf("unhandled %q; %d workers run, want 1", got.Unhandled, got.Running)
			}
			got.Explained.Check(t, "empty", "classify a picture")
			b.NoProblems()
		})
	}
}

// TestMountedTwice: React's strict mode mounts a component, unmounts it and mounts it
// again: of the first engine nothing stays, whenever it is called off.
func TestMountedTwice(t *testing.T) {
	_, b := newSite(t)
	got := browsertest.Eval[struct {
		Labels    []string
		Running   []int
		Unhandled string
		Spares    int
	}](b, `(async () => {`+spiedWorkers+`
		const labels = [], workers = [];
		let spares = 0;
		const effect = (use) => {
			const stop = new AbortController();
			let engine;
			const made = DeepEMD.create({ weights: small, signal: stop.signal, onProgress: ({ stage }) => stop.signal.aborted && stage === "ready" && spares++ }).then(
				(e) => { engine = e; return use?.(e); },
				(error) => { if (error !== stop.signal.reason) throw error; },
			);
			return { made, unmount() { stop.abort(); engine?.dispose(); } };
		};
		for (const pause of [undefined, 0, 20, 100, 400]) {
			const first = effect();
			if (pause !== undefined) await new Promise((resolve) => setTimeout(resolve, pause));
			first.unmount();
			const second = effect(async (engine) => {
				await engine.addExample(await engine.addClass("cup"), plain(1, 200, 3));
				labels.push((await engine.classify(plain(1, 200, 3))).scores[0].label);
			});
			await Promise.all([first.made, second.made]);
			workers.push(running.size);
			second.unmount();
			workers.push(running.size);
		}
		return { labels, running: workers, unhandled, spares };
	})()`)
	if want := []string{"cup", "cup", "cup", "cup", "cup"}; !slices.Equal(got.Labels, want) {
		t.Errorf("labels %v", got.Labels)
	}
	if want := []int{1, 0, 1, 0, 1, 0, 1, 0, 1, 0}; !slices.Equal(got.Running, want) {
		t.Errorf("workers that run: %v, want %v", got.Running, want)
	}
	if got.Unhandled != "" || got.Spares > 0 {
		t.Errorf("unhandled %q; %d engines went on after they were called off", got.Unhandled, got.Spares)
	}
	b.NoProblems()
}
