//go:build !js

package page_test

import (
	"testing"

	"github.com/deepemd/deepemd/internal/browsertest"
)

// An exception of onProgress ends the call, which rejects with it. The engine does other work as before.
func TestProgressThrows(t *testing.T) {
	_, b := newSite(t)
	browsertest.Eval[bool](b, `(async () => {
		const { openProject, saveProject } = await import("/deepemd/project.js");
		const engine = await taught();
		for (const n of [3, 5, 7, 11]) {
			for (const [id, from] of [["red", 0], ["blue", 100]]) {
				await engine.addExample(id, { width: 8, height: 8, data: Uint8Array.from({ length: 192 }, (_, i) => from + ((i * i * n) % 150)) });
			}
		}
		const calls = { count: 0 };
		const onProgress = () => { throw new Error("call " + ++calls.count); };
		Object.assign(window, { openProject, saveProject, engine, calls, onProgress });
		return true;
	})()`)
	for _, call := range []string{
		`DeepEMD.create({ weights: small, onProgress })`,
		`engine.classifyAll([plain(1, 2, 3)], { onProgress })`,
		`engine.configure({ embedder: { kind: "grid" } }, { onProgress })`,
		`engine.growth({ onProgress })`,
		`engine.train({ passes: 10000, onProgress })`,
		`saveProject(engine).then((file) => openProject(engine, file, { onProgress }))`,
	} {
		got := browsertest.Eval[string](b, `(calls.count = 0, Promise.resolve(`+call+`).then(() => "resolved", (error) => error.message))`)
		if got != "call 1" {
			t.Errorf("%s: %q, want the exception", call, got)
		}
	}
	passes := browsertest.Eval[int](b, `engine.train({ passes: 3, check: false }).then(({ passes }) => passes)`)
	if passes != 3 {
		t.Errorf("afterwards %d passes of 3", passes)
	}
	b.NoProblems()
}
