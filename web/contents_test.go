package web

import (
	"slices"
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

// An image shows the picture of the project that is open, though the former project had an example with the same id.
func TestImagesOfAnotherProject(t *testing.T) {
	page := nodetest.Start(t, packaged+`
		Object.assign(globalThis, { addEventListener() {}, IntersectionObserver: class {
			constructor(seen) { this.seen = seen; }
			observe(target) { setTimeout(() => this.seen([{ target, isIntersecting: true }])); }
			unobserve() {}
		} });
		const { Gallery } = await import(ROOT + "web/static/web/gallery.js");
		const { Projects } = await import(ROOT + "web/static/web/projects.js");
		async function answer(ids) {
			const gallery = new Gallery(), projects = new Projects(gallery, { database: {} });
			const images = ids.map(() => ({ dataset: {} }));
			globalThis.document = { querySelectorAll: () => images };
			const drawn = () => new Promise((resolve) => setTimeout(() => resolve(images.map(({ src }) => src)), 20));
			gallery.contents.set("a", { size: 1, pixels: new Uint8Array(3) }).set("b", { size: 1, pixels: new Uint8Array(3).fill(9) });
			images.forEach((image, i) => gallery.show(image, ids[i]));
			const before = await drawn();
			projects.begin();
			projects.accept("other");
			gallery.contents.set("a", { size: 1, pixels: new Uint8Array(3).fill(1) });
			const after = await drawn();
			return images.map((_, i) => before[i] !== after[i]);
		}`)
	var changed []bool
	if err := page.Ask(t, []string{"a", "b"}, &changed); err != nil || !slices.Equal(changed, []bool{true, false}) {
		t.Errorf("the images changed: %v, error %+v; want the one of the example that both projects have", changed, err)
	}
}

// An image that shows another example before its file has arrived revokes the file's address.
func TestAddressesOfImages(t *testing.T) {
	page := nodetest.Start(t, `
		globalThis.IntersectionObserver = class {
			constructor(seen) { this.seen = seen; }
			observe(target) { this.seen([{ target, isIntersecting: true }]); }
			unobserve() {}
		};
		const { Gallery } = await import(ROOT + "web/static/web/gallery.js");
		const addresses = new Set();
		URL.createObjectURL = ({ size }) => (addresses.add("blob:" + size), "blob:" + size);
		URL.revokeObjectURL = (address) => addresses.delete(address);
		async function answer(steps) {
			addresses.clear();
			const gallery = new Gallery(), image = { dataset: {} };
			gallery.contents.set("a", { picture: new Blob(["a"]) }).set("bb", { picture: new Blob(["bb"]) }).set("c", { size: 1, pixels: new Uint8Array(3) });
			for (const step of steps) {
				if (step === "loaded") image.onload();
				else gallery.show(image, step);
				await new Promise(setImmediate);
			}
			return [...addresses].join();
		}`)
	for _, c := range []struct {
		steps []string
		want  string
	}{
		{[]string{"a"}, "blob:1"}, {[]string{"a", "loaded"}, ""}, {[]string{"a", "bb"}, "blob:2"}, {[]string{"a", "c"}, ""},
		{[]string{"a", "bb", "a", "loaded"}, ""},
	} {
		var got string
		if err := page.Ask(t, c.steps, &got); err != nil || got != c.want {
			t.Errorf("%q: left %q, error %+v; want %q", c.steps, got, err, c.want)
		}
	}
}

// Once an import was stopped or a file is damaged, no other file is read, and no progress is reported.
func TestAnImportEndsAtOnce(t *testing.T) {
	page := nodetest.Start(t, packaged+`
		const { takeIn } = await import(ROOT + "web/static/web/intake.js");
		async function answer({ damaged }) {
			const did = [];
			const files = Array.from({ length: 100 }, (_, i) => ({ id: "example-" + i, name: "", source: {
				async check() {
					did.push("read");
					if (i === damaged) throw new DOMException("damaged");
				},
				blob: async () => new Blob(),
			} }));
			const { code } = await takeIn(files, () => did.push("progress") && damaged !== undefined).catch((error) => error);
			const then = did.length;
			for (let i = 0; i < 1000; i++) await new Promise(setImmediate);
			return code + " " + did.slice(then).join(" ");
		}`)
	for _, c := range []struct {
		Damaged *int `json:"damaged,omitempty"`
		want    string
	}{{nil, "AbortError "}, {new(20), "bad-zip "}} {
		var got string
		if err := page.Ask(t, c, &got); err != nil || got != c.want {
			t.Errorf("%q, error %+v; want %q", got, err, c.want)
		}
	}
}

// A description that is too large is refused before it is unpacked.
func TestLargeDescriptions(t *testing.T) {
	page := nodetest.Start(t, packaged+`
		const { textOf } = await import(ROOT + "web/static/web/intake.js");
		async function answer({ size, known }) {
			let opened = "";
			const blob = async () => ((opened = " opened"), { size, text: async () => "{}" });
			return (await textOf(known ? { size, blob } : { blob }).catch(({ code }) => code)) + opened;
		}`)
	for _, c := range []struct {
		Size  int  `json:"size"`
		Known bool `json:"known"`
		want  string
	}{{1 << 24, true, "{} opened"}, {1<<24 + 1, true, "bad-zip"}, {1 << 24, false, "{} opened"}, {1<<24 + 1, false, "bad-zip opened"}} {
		var got string
		if err := page.Ask(t, c, &got); err != nil || got != c.want {
			t.Errorf("%+v: %q, error %+v", c, got, err)
		}
	}
}

// The memory of an example of a sound includes its second.
func TestMemoryOfSounds(t *testing.T) {
	page := nodetest.Start(t, `
		globalThis.IntersectionObserver = class {};
		const { Gallery } = await import(ROOT + "web/static/web/gallery.js");
		async function answer(seconds) {
			const gallery = new Gallery();
			for (const [i, samples] of seconds.entries()) {
				gallery.add({ id: "e" + i, size: 1, pixels: new Uint8Array(3), embedding: new Float32Array(2), ...(samples && { second: new Float32Array(samples) }) });
			}
			return gallery.bytes;
		}`)
	for _, c := range []struct {
		samples []int
		want    int
	}{{[]int{0}, 11}, {[]int{0, 16000}, 64_022}} {
		var got int
		if err := page.Ask(t, c.samples, &got); err != nil || got != c.want {
			t.Errorf("%d samples: %d bytes, error %+v; want %d", c.samples, got, err, c.want)
		}
	}
}
