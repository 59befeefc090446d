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
				info: { nodes: 1, channels: 1 }, options: {}, assertOpen() {},
				async request({ type }, { check } = {}) {
					check?.();
					sent++;
					change("learned");
					return { pixels: { width: 1, data: new Uint8Array(3) } };
				},
			};
			const adding = new Teaching(engine, () => taught).add("a", { embedding: new Float32Array([1]) }, {});
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
				info: { nodes: 1, channels: 1 }, options: {}, assertOpen() {},
				async request() {
					sent++;
					return { pixels: { width: 1, data: new Uint8Array(3) }, embedding: new Float32Array(1) };
				},
			};
			const original = { size, ...(bytes >= 0 && { pixels: new Uint8Array(bytes) }) };
			const added = await new Teaching(engine, () => taught).add("a", { width: 1, height: 1, data: new Uint8Array(3) }, { original }).then((e) => String(e.original.size), (error) => error.code);
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
