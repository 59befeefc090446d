package web

import (
	"testing"

	"github.com/deepemd/deepemd/internal/nodetest"
)

// A canvas shows the latest of its files, though an earlier one takes longer to decode. A step "one?" begins to decode the
// file one, "one!" ends that, and "one×" reports that it cannot be decoded.
func TestDrawTheLatestFile(t *testing.T) {
	page := nodetest.Start(t, `
		globalThis.IntersectionObserver = class {};
		const { drawFile } = await import(ROOT + "web/static/web/drawing.js");
		const decoding = new Map();
		globalThis.createImageBitmap = ({ name }) => new Promise((resolve, reject) => decoding.set(name, { resolve, reject }));
		async function answer(steps) {
			const did = [];
			const canvas = { getContext: () => ({ drawImage: ({ name }, x, y) => did.push(name, canvas.width, x, y) }) };
			for (const [i, step] of steps.entries()) {
				const name = step.slice(0, -1);
				const file = Object.assign(new Blob(), { name });
				if (step.endsWith("?")) drawFile(canvas, i % 2 ? { blob: async () => file } : file);
				if (step.endsWith("!")) decoding.get(name).resolve({ name, width: 5, height: 2, close() {} });
				if (step.endsWith("×")) decoding.get(name).reject(new Error(name));
				await new Promise(setImmediate);
			}
			return did.join(" ");
		}`)
	for _, c := range []struct {
		steps []string
		want  string
	}{
		{[]string{"one?", "one!"}, "one 2 -1 0"},
		{[]string{"one?", "two?", "two!", "one!"}, "two 2 -1 0"},
		{[]string{"one?", "two?", "broken?", "one!", "broken×", "two!"}, ""},
	} {
		var got string
		if err := page.Ask(t, c.steps, &got); err != nil || got != c.want {
			t.Errorf("%q: drawn %q, error %+v; want %q", c.steps, got, err, c.want)
		}
	}
}

// A player has the latest of its files, and none once there is none; each address is revoked in the end. A step "one" is a
// file at hand, "none" is no file; "one?" begins to read a file, "one!" ends that, and "one×" reports that it cannot be read.
func TestLoadTheLatestFile(t *testing.T) {
	page := nodetest.Start(t, `
		globalThis.IntersectionObserver = class {};
		const { loadFile } = await import(ROOT + "web/static/web/drawing.js");
		const addresses = new Map(), reading = new Map();
		URL.createObjectURL = (blob) => (addresses.set("blob:" + addresses.size, blob), "blob:" + (addresses.size - 1));
		URL.revokeObjectURL = (address) => addresses.delete(address);
		async function answer({ kind, steps }) {
			addresses.clear();
			const did = [];
			const element = {
				src: "",
				removeAttribute: (name) => (element[name] = ""),
				...(kind === "audio" && { load: () => did.push("stopped") }),
			};
			for (const step of steps) {
				const name = step.slice(0, -1);
				if (step === "none") loadFile(element, null);
				else if (step.endsWith("?")) loadFile(element, { blob: () => new Promise((resolve, reject) => reading.set(name, { resolve, reject })) });
				else if (step.endsWith("!")) reading.get(name).resolve(new Blob([name]));
				else if (step.endsWith("×")) reading.get(name).reject(new Error(name));
				else loadFile(element, new Blob([step]));
				await new Promise(setImmediate);
			}
			did.push((await addresses.get(element.src)?.text()) ?? "nothing");
			if (kind === "image") element.onload?.();
			return did.join(" ") + ", " + addresses.size;
		}`)
	for _, c := range []struct {
		kind  string
		steps []string
		want  string
	}{
		{"audio", []string{"one"}, "one, 1"},
		{"audio", []string{"one?", "one!"}, "one, 1"},
		{"audio", []string{"one", "two", "three"}, "three, 1"},
		{"audio", []string{"one", "two?", "three", "two!"}, "three, 1"},
		{"audio", []string{"one?", "two?", "two!", "one!"}, "two, 1"},
		{"audio", []string{"one", "none"}, "stopped nothing, 0"},
		{"audio", []string{"one", "two?", "none", "two!"}, "stopped nothing, 0"},
		{"audio", []string{"one", "broken?", "broken×"}, "nothing, 0"},
		{"image", []string{"one", "two"}, "two, 0"},
		{"image", []string{"one", "none"}, "nothing, 0"},
	} {
		var got string
		if err := page.Ask(t, struct {
			Kind  string   `json:"kind"`
			Steps []string `json:"steps"`
		}{c.kind, c.steps}, &got); err != nil || got != c.want {
			t.Errorf("%s %q: %q, error %+v; want %q", c.kind, c.steps, got, err, c.want)
		}
	}
}

// A video that turns out to be damaged gives no pictures, whether the page waits for a picture then or not.
func TestPicturesOfADamagedVideo(t *testing.T) {
	page := nodetest.Start(t, `
		const { picturesOf } = await import(ROOT + "web/static/web/video.js");
		URL.createObjectURL = () => "blob:";
		async function answer(damaged) {
			let pictures = 0;
			const video = new EventTarget();
			const fail = () => {
				video.error = new Error("damaged");
				video.dispatchEvent(new Event("error"));
			};
			Object.defineProperty(video, "src", { get: () => "blob:", set: () => setImmediate(() => video.dispatchEvent(new Event("loadeddata"))) });
			Object.defineProperty(video, "currentTime", { get: () => 0, set: () => setImmediate(() => {
				if (pictures === 2 && damaged === "seek") fail();
				else if (!video.error) video.dispatchEvent(new Event("seeked"));
			}) });
			video.duration = 2;
			globalThis.document = { createElement: () => video };
			globalThis.OffscreenCanvas = class {
				getContext = () => ({ drawImage() {} });
				async convertToBlob() {
					if (++pictures === 2 && damaged === "draw") fail();
					return new Blob();
				}
			};
			const end = picturesOf(new Blob()).then(({ length }) => length + " pictures", ({ message }) => message);
			const late = (async () => {
				for (let i = 0; i < 1000; i++) await new Promise(setImmediate);
				return "no end";
			})();
			return Promise.race([end, late]);
		}`)
	for damaged, want := range map[string]string{"": "4 pictures", "seek": "damaged", "draw": "damaged"} {
		var got string
		if err := page.Ask(t, damaged, &got); err != nil || got != want {
			t.Errorf("damaged at %q: %q, error %+v; want %q", damaged, got, err, want)
		}
	}
}
