//go:build !js

package page_test

import (
	"fmt"
	"testing"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/internal/browsertest"
)

// TestCrash: after any crash of the engine the page is notified, and the engine restarts with all its
// classes.
func TestCrash(t *testing.T) {
	for _, c := range []struct{ how, code, name string }{
		{"panic", "crashed", "panic: crashed on request"},
		{"exit", "crashed", "ended"},
		{"memory", "out-of-memory", "memory"},
		{"hang", "crashed", "not answered"},
	} {
		t.Run(c.how, func(t *testing.T) {
			_, b := newSite(t)
			got := browsertest.Eval[struct {
				Before, After    []answer.Score
				Call, Crash      failure
				Restarting       bool
				Examples         []string
				Label            string
				Event, Unhandled string
			}](b, fmt.Sprintf(`(async () => {
				let unhandled = "";
				window.addEventListener("unhandledrejection", (e) => { unhandled += e.reason; });
				const engine = await taught({ timeout: 3000 });
				await engine.renameClass("green", "lime");
				await engine.addClass("empty", { id: "empty" });
				const scores = async () => (await engine.classify(plain(200, 180, 0))).scores;
				const before = await scores();
				const crashed = next(engine, "crash"), restarted = next(engine, "restart");
				const call = failure(engine[crash](%q));
				const behind = failure(engine.classify(plain(0, 0, 0)));
				const sample = engine.addExample("empty", plain(9, 9, 9), { id: "in flight" });
				const event = await crashed;
				await engine.renameClass("red", "scarlet"); // while it is down
				await restarted;
				await sample;
				await engine.removeExample("in flight");
				const after = await scores();
				return {
					before, after, unhandled,
					call: { code: (await call).code + " " + (await behind).code, message: (await call).message },
					crash: event, restarting: event.restarting,
					examples: engine.classes.flatMap((c) => c.examples.map((e) => c.id + " " + e.size)),
					label: (await engine.classify(plain(255, 0, 0))).scores[0].label,
				};
			})()`, c.how))
			got.Call.Check(t, c.code+" "+c.code, c.name)
			got.Crash.Check(t, c.code, c.name)
			t.Log(got.Crash.Message)
			if !got.Restarting {
				t.Error("the event says that the engine is not being restarted")
			}
			sameScores(t, got.After, got.Before)
			if got := fmt.Sprint(got.Examples); got != "[red 32 green 32 blue 32]" {
				t.Errorf("examples %s", got)
			}
			if got.Label != "scarlet" {
				t.Errorf("label %q, want scarlet: changed while the engine was down", got.Label)
			}
			if got.Unhandled != "" {
				t.Errorf("unhandled rejection: %s", got.Unhandled)
			}
		})
	}
}

// TestRestartNeedsNoNetwork: the engine and the weights are kept by the page.
func TestRestartNeedsNoNetwork(t *testing.T) {
	_, b := newSite(t)
	browsertest.Eval[bool](b, `(async () => { window.engine = await taught(); return true; })()`)
	got := browsertest.Eval[failure](b, `(async () => {
		const asked = [];
		const watch = new PerformanceObserver((list) => asked.push(...list.getEntries().map((e) => e.name)));
		watch.observe({ type: "resource" });
		const restarted = next(engine, "restart");
		engine[crash]("panic").catch(() => {});
		await restarted;
		await engine.classify(plain(1, 2, 3));
		return { code: asked.filter((name) => /safetensors|wasm$/.test(name)).join(), message: asked.join() };
	})()`)
	got.Check(t, "")
}

// TestEngineThatCannotRestart: a call reports it, samples stay, and a later call tries again.
func TestEngineThatCannotRestart(t *testing.T) {
	_, b := newSite(t)
	got := browsertest.Eval[struct {
		Last, Call, Later failure
		Restarting        bool
		Examples          int
	}](b, `(async () => {
		const engine = await taught();
		const Real = Worker;
		window.Worker = class { constructor() { setTimeout(() => this.onerror({ preventDefault() {}, message: "" })); } postMessage() {} terminate() {} };
		const last = new Promise((resolve) => engine.addEventListener("crash", (e) => { if (!e.detail.restarting) resolve(e.detail); }));
		engine[crash]("exit").catch(() => {});
		const event = await last;
		const call = await failure(engine.classify(plain(1, 2, 3)));
		await engine.removeExample(engine.classes[0].examples[0].id); // works on what the page keeps
		window.Worker = Real;
		const later = await failure(engine.classify(plain(0, 0, 255)));
		return { last: event, restarting: event.restarting, call, later, examples: engine.classes.flatMap((c) => c.examples).length };
	})()`)
	got.Last.Check(t, "network", "worker.js")
	got.Call.Check(t, "network", "worker.js")
	got.Later.Check(t, "none", `"label":"blue"`)
	if got.Examples != 2 {
		t.Errorf("%d examples, want 2", got.Examples)
	}
}
