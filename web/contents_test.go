package web

import (
	"testing"

	"github.com/deepemd/deepemd/internal/nodetest"
)

// A project that is opened while the engine still works on the former project keeps its own pictures, even if examples of
// both have the same id. Otherwise the next save would replace them.
func TestContentsOfAnotherProject(t *testing.T) {
	page := nodetest.Start(t, `
		globalThis.IntersectionObserver = class {};
		const { Gallery } = await import(ROOT + "web/static/web/gallery.js");
		globalThis.document = { querySelectorAll: () => [] };
		const example = (mark) => ({ id: "example-1", size: 1, pixels: new Uint8Array(3).fill(mark), embedding: new Float32Array(1) });
		async function answer(end) {
			const gallery = new Gallery(), engine = new EventTarget();
			let sha256 = "before";
			engine.network = async () => ({ sha256 });
			engine.classes = [{ examples: [example(1)] }];
			await gallery.connect(engine);
			gallery.add(example(1));
			const former = gallery.contents, changed = [];
			gallery.onchange = (id) => changed.push(id);
			if (end.opened) gallery.contents = new Map([["example-1", example(2)]]);
			sha256 = "after";
			if (end.by === "add") gallery.add(example(3), former);
			if (end.by === "embed") engine.dispatchEvent(new Event("embed"));
			if (end.by === "renew") await gallery.renew(engine);
			await new Promise((resolve) => setTimeout(resolve));
			return gallery.contents.get("example-1").pixels[0] + changed.join();
		}`)
	for _, end := range []struct {
		By     string `json:"by"`
		Opened bool   `json:"opened"`
		want   string
	}{
		{"add", true, "2"}, {"embed", true, "2"}, {"renew", true, "2"},
		{"add", false, "3"}, {"embed", false, "1example-1"}, {"renew", false, "1example-1"},
	} {
		var got string
		if err := page.Ask(t, end, &got); err != nil || got != end.want {
			t.Errorf("%+v: the content is %s, error %+v", end, got, err)
		}
	}
}
