//go:build !js

package wasm_test

import (
	"slices"
	"testing"

	"github.com/deepemd/deepemd/internal/nodetest"
)

// answering installs a worker that has no pictures, answers at once and records the requests.
const answering = `
		const { install } = await import(ROOT + "wasm/npm/platform.js");
		const asked = [];
		install({
			locate: (address) => new URL(address),
			remedies: {},
			startWorker() {
				const worker = {
					terminate() {},
					postMessage({ id, type, names }) {
						asked.push(type);
						queueMicrotask(() => worker.onmessage({ data: { id, ok: true, pictures: 0, bytes: 0, there: names?.map(() => false) } }));
					},
				};
				return worker;
			},
		});
		const { openGallery } = await import(ROOT + "wasm/npm/gallery.js");
`

// TestGalleryEnds checks that the worker, which locks the file, ends a change of a gallery even after a failure of the
// engine.
func TestGalleryEnds(t *testing.T) {
	page := nodetest.Start(t, answering+`
		async function answer({ failure }) {
			const engine = new EventTarget();
			let name = "a";
			engine.method = {};
			engine.network = async () => {
				if (name === "disposed") throw Object.assign(new Error(), { code: "disposed" });
				return { name };
			};
			engine.embed = async () => {
				name = failure;
				return { data: new Float32Array(1) };
			};
			const gallery = await openGallery(engine, "photos");
			asked.length = 0;
			const code = await gallery.add([{ name: "1.png", source: {} }]).then(() => "", (error) => error.code);
			return [code, ...asked];
		}`)
	for failure, code := range map[string]string{"disposed": "disposed", "b": "wrong-network"} {
		var got []string
		if err := page.Ask(t, map[string]string{"failure": failure}, &got); err != nil || !slices.Equal(got, []string{code, "begin", "has", "end"}) {
			t.Errorf("%s: %q, %+v", failure, got, err)
		}
	}
}

// TestGalleryClosesDuringCalls closes a gallery directly after a call, which then starts no other worker.
func TestGalleryClosesDuringCalls(t *testing.T) {
	page := nodetest.Start(t, `
		const { install } = await import(ROOT + "wasm/npm/platform.js");
		let running = 0;
		install({
			locate: (address) => new URL(address),
			remedies: {},
			startWorker() {
				running++;
				const worker = {
					terminate: () => running--,
					postMessage({ id }) {
						queueMicrotask(() => worker.onmessage({ data: { id, ok: true, pictures: 0, bytes: 0, names: [] } }));
					},
				};
				return worker;
			},
		});
		const { openGallery } = await import(ROOT + "wasm/npm/gallery.js");
		async function answer() {
			const engine = Object.assign(new EventTarget(), { method: {}, embed() {}, network: async () => ({ name: "a" }) });
			const gallery = await openGallery(engine, "photos");
			const asked = gallery.names();
			gallery.close();
			return [await asked.then(() => "", (error) => error.code), String(running)];
		}`)
	var got []string
	if err := page.Ask(t, struct{}{}, &got); err != nil || !slices.Equal(got, []string{"disposed", "0"}) {
		t.Errorf("%q, error %+v; want disposed, and no worker", got, err)
	}
}

// TestGalleryAbortsWhileWaiting aborts a change that waits for another one: it ends at once, without a request.
func TestGalleryAbortsWhileWaiting(t *testing.T) {
	page := nodetest.Start(t, answering+`
		async function answer() {
			let embedded;
			const engine = Object.assign(new EventTarget(), { method: {}, network: async () => ({ name: "a" }), embed: () => new Promise((resolve) => (embedded = resolve)) });
			const gallery = await openGallery(engine, "photos"), stop = new AbortController();
			const first = gallery.add([{ name: "1.png", source: {} }]);
			const second = gallery.add([{ name: "2.png", source: {} }], { signal: stop.signal }).catch((error) => error.name);
			while (!embedded) await new Promise(setImmediate);
			stop.abort();
			const said = await Promise.race([second, new Promise((resolve) => setTimeout(resolve, 100, "waits"))]);
			embedded({ data: new Float32Array(1) });
			const { added } = await first;
			await second;
			return [said, String(added), ...asked];
		}`)
	var got []string
	if err := page.Ask(t, struct{}{}, &got); err != nil || !slices.Equal(got, []string{"AbortError", "1", "init", "begin", "has", "add", "end"}) {
		t.Errorf("%q, error %+v", got, err)
	}
}
