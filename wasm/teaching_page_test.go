//go:build !js

package wasm_test

import (
	"slices"
	"testing"

	"github.com/deepemd/deepemd/internal/nodetest"
)

// TestAddExampleToARemovedClass replaces the content, or a class by one of the same id, while an example is prepared or
// learned: it goes to neither.
func TestAddExampleToARemovedClass(t *testing.T) {
	page := nodetest.Start(t, `
		const { Teaching } = await import(ROOT + "wasm/npm/teaching.js");
		const { Taught } = await import(ROOT + "wasm/npm/taught.js");
		async function answer({ when, what }) {
			let taught = new Taught(), sent = 0;
			taught.addClass("cup", "a");
			const change = (now) => {
				if (now !== when) return;
				if (what === "content") taught = new Taught();
				else taught.classes.delete("a");
				taught.addClass("mug", "a");
			};
			const engine = {
				info: { nodes: 1, channels: 1 }, options: {}, record: () => taught, assertOpen() {},
				async request({ type }, { check } = {}) {
					check?.();
					sent++;
					change("learned");
					return { pixels: { width: 1, data: new Uint8Array(3) } };
				},
			};
			const adding = new Teaching(engine).add("a", { embedding: new Float32Array([1]) }, {});
			change("prepared");
			return [await adding.then(() => "", (error) => error.code), sent, taught.class("a").examples.length].map(String);
		}`)
	for _, c := range []struct {
		When string `json:"when"`
		What string `json:"what"`
		want []string
	}{
		{"", "", []string{"", "1", "1"}},
		{"prepared", "class", []string{"unknown-class", "0", "0"}},
		{"prepared", "content", []string{"unknown-class", "0", "0"}},
		{"learned", "class", []string{"unknown-class", "1", "0"}},
	} {
		var got []string
		if err := page.Ask(t, c, &got); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%+v: %q, error %+v", c, got, err)
		}
	}
}

// TestAddExampleEndsLearned enables or disables a class while an example is on its way: the worker forgets the training,
// unless the class was disabled all the time.
func TestAddExampleEndsLearned(t *testing.T) {
	page := nodetest.Start(t, `
		const { Teaching } = await import(ROOT + "wasm/npm/teaching.js");
		const { Taught } = await import(ROOT + "wasm/npm/taught.js");
		async function answer([before, after]) {
			const taught = new Taught();
			const owner = taught.class(taught.addClass("cup", "a"));
			owner.enabled = before;
			const engine = {
				info: { nodes: 1, channels: 1 }, options: {}, record: () => taught, assertOpen() {}, learned: true,
				async request(_, { onSent }) {
					onSent();
					owner.enabled = after;
					return { pixels: { width: 1, data: new Uint8Array(3) } };
				},
			};
			await new Teaching(engine).add("a", { embedding: new Float32Array([1]) }, {});
			return engine.learned;
		}`)
	for enabled, want := range map[[2]bool]bool{{true, true}: false, {true, false}: false, {false, true}: false, {false, false}: true} {
		var got bool
		if err := page.Ask(t, enabled, &got); err != nil || got != want {
			t.Errorf("enabled before and after: %v; learned %v, want %v; error %+v", enabled, got, want, err)
		}
	}
}

// TestAddExampleKeepsCopies changes or transfers the arguments, before or after they are sent: the record and the worker have
// the original values.
func TestAddExampleKeepsCopies(t *testing.T) {
	page := nodetest.Start(t, `
		const { Teaching } = await import(ROOT + "wasm/npm/teaching.js");
		const { Taught } = await import(ROOT + "wasm/npm/taught.js");
		async function answer({ when, what, as }) {
			const taught = new Taught();
			taught.addClass("cup", "a");
			const embedding = new Float32Array([7]), pixels = new Uint8Array(12).fill(7);
			const change = (now) => {
				if (now !== when) return;
				if (what === "transfer") structuredClone(null, { transfer: [embedding.buffer, pixels.buffer] });
				else embedding[0] = pixels[0] = 1;
			};
			let sent;
			const engine = {
				info: { nodes: 1, channels: 1, ...(as === "features" && { features: {} }) }, options: {}, record: () => taught, assertOpen() {},
				...(as === "features" && { backbone: { features: async () => ({ data: embedding, nodes: 1, channels: 1, ms: 1 }) }, async reshape() {} }),
				async request({ embedding }) {
					sent = embedding[0];
					change("sent");
					return { pixels: { width: 1, data: new Uint8Array(3) } };
				},
			};
			const dot = { width: 1, height: 1, data: new Uint8Array(3) };
			const [source, given] = as === "source" ? [{ embedding }] : as === "option" ? [dot, { embedding }] : [dot];
			const adding = new Teaching(engine).add("a", source, { ...given, original: { size: 2, pixels } });
			change("called");
			await adding;
			const [kept] = taught.class("a").examples;
			return [sent, kept.embedding[0] ?? 0, kept.original.pixels[0] ?? 0];
		}`)
	for _, as := range []string{"source", "option", "features"} {
		for _, when := range []string{"called", "sent"} {
			for _, what := range []string{"change", "transfer"} {
				if as == "features" && when == "called" {
					continue // the backbone's result does not exist yet
				}
				var got []int
				asked := map[string]string{"when": when, "what": what, "as": as}
				if err := page.Ask(t, asked, &got); err != nil || !slices.Equal(got, []int{7, 7, 7}) {
					t.Errorf("%v: sent, kept and original %v; error %+v", asked, got, err)
				}
			}
		}
	}
}

// TestAddExampleRefusesOriginals passes originals of wrong shapes: the worker does not get the example, which the page
// could not record.
func TestAddExampleRefusesOriginals(t *testing.T) {
	page := nodetest.Start(t, `
		const { Teaching } = await import(ROOT + "wasm/npm/teaching.js");
		const { Taught } = await import(ROOT + "wasm/npm/taught.js");
		async function answer({ size, bytes }) {
			const taught = new Taught();
			let sent = 0;
			taught.addClass("cup", "a");
			const engine = {
				info: { nodes: 1, channels: 1 }, options: {}, record: () => taught, assertOpen() {},
				async request() {
					sent++;
					return { pixels: { width: 1, data: new Uint8Array(3) }, embedding: new Float32Array(1) };
				},
			};
			const original = { size, ...(bytes >= 0 && { pixels: new Uint8Array(bytes) }) };
			const added = await new Teaching(engine).add("a", { width: 1, height: 1, data: new Uint8Array(3) }, { original }).then((e) => String(e.original.size), (error) => error.code);
			return [added, sent, taught.class("a").examples.length].map(String);
		}`)
	for _, c := range []struct {
		Size  int `json:"size"`
		Bytes int `json:"bytes"`
		want  []string
	}{
		{2, 12, []string{"2", "1", "1"}},
		{2, -1, []string{"bad-argument", "0", "0"}},
		{2, 16, []string{"bad-argument", "0", "0"}},
		{0, 12, []string{"bad-argument", "0", "0"}},
	} {
		var got []string
		if err := page.Ask(t, c, &got); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%+v: %q, error %+v", c, got, err)
		}
	}
}
