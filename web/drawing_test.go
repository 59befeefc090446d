package web

import (
	"testing"

	"github.com/deepemd/deepemd/internal/nodetest"
)

// A canvas shows the latest of its files, though an earlier one takes longer to decode.
func TestDrawTheLatestFile(t *testing.T) {
	page := nodetest.Start(t, `
		globalThis.IntersectionObserver = class {};
		const { drawFile } = await import(ROOT + "web/static/web/drawing.js");
		globalThis.createImageBitmap = async (file) => {
			const [name, ms] = (await file.text()).split(" ");
			await new Promise((resolve) => setTimeout(resolve, Number(ms)));
			if (name === "broken") throw new Error(name);
			return { name, width: 5, height: 2, close() {} };
		};
		async function answer(texts) {
			const did = [];
			const canvas = { getContext: () => ({ drawImage: ({ name }, x, y) => did.push(name, canvas.width, x, y) }) };
			await Promise.all(texts.map((text, i) => drawFile(canvas, i % 2 ? { blob: async () => new Blob([text]) } : new Blob([text]))));
			return did.join(" ");
		}`)
	for _, c := range []struct {
		files []string
		want  string
	}{
		{[]string{"one 0"}, "one 2 -1 0"},
		{[]string{"one 50", "two 0"}, "two 2 -1 0"},
		{[]string{"one 0", "two 50", "broken 10"}, ""},
	} {
		var got string
		if err := page.Ask(t, c.files, &got); err != nil || got != c.want {
			t.Errorf("%q: drawn %q, error %+v; want %q", c.files, got, err, c.want)
		}
	}
}

// A player has the latest of its files, and none once there is none; each address is revoked in the end.
func TestLoadTheLatestFile(t *testing.T) {
	page := nodetest.Start(t, `
		globalThis.IntersectionObserver = class {};
		const { loadFile } = await import(ROOT + "web/static/web/drawing.js");
		const addresses = new Map();
		URL.createObjectURL = (blob) => (addresses.set("blob:" + addresses.size, blob), "blob:" + (addresses.size - 1));
		URL.revokeObjectURL = (address) => addresses.delete(address);
		async function answer({ kind, texts }) {
			addresses.clear();
			const did = [];
			const element = {
				src: "",
				removeAttribute: (name) => (element[name] = ""),
				...(kind === "audio" && { load: () => did.push("stopped") }),
			};
			await Promise.all(texts.map(async (text, i) => {
				await new Promise((resolve) => setTimeout(resolve, 20 * i));
				const [name, ms] = text.split(" ");
				const blob = () => new Promise((resolve, reject) => setTimeout(() => (name === "broken" ? reject(new Error(name)) : resolve(new Blob([name]))), Number(ms)));
				await loadFile(element, name === "none" ? null : i % 2 ? { blob } : await blob());
			}));
			did.push((await addresses.get(element.src)?.text()) ?? "nothing");
			if (kind === "image") element.onload?.();
			return did.join(" ") + ", " + addresses.size;
		}`)
	for _, c := range []struct {
		kind  string
		files []string
		want  string
	}{
		{"audio", []string{"one 0"}, "one, 1"},
		{"audio", []string{"one 0", "two 0", "three 0"}, "three, 1"},
		{"audio", []string{"one 0", "two 50", "three 0"}, "three, 1"},
		{"audio", []string{"one 0", "none"}, "stopped nothing, 0"},
		{"audio", []string{"one 0", "two 50", "none"}, "stopped nothing, 0"},
		{"audio", []string{"one 0", "broken 0"}, "nothing, 0"},
		{"image", []string{"one 0", "two 0"}, "two, 0"},
		{"image", []string{"one 0", "none"}, "nothing, 0"},
	} {
		var got string
		if err := page.Ask(t, struct {
			Kind  string   `json:"kind"`
			Files []string `json:"texts"`
		}{c.kind, c.files}, &got); err != nil || got != c.want {
			t.Errorf("%s %q: %q, error %+v; want %q", c.kind, c.files, got, err, c.want)
		}
	}
}
