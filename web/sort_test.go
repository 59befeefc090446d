package web

import (
	"archive/zip"
	"bytes"
	"io"
	"slices"
	"testing"

	"github.com/deepemd/deepemd/internal/nodetest"
	"github.com/deepemd/deepemd/internal/require"
)

// Cameras reuse file names, so photos of several folders may get the same name in an album: the archive of the example
// keeps all of them.
func TestPhotosOfOneNameStayApart(t *testing.T) {
	page := nodetest.Start(t, `
		const { zip } = await import(ROOT + "web/examples/sort/zip.js");
		async function answer(names) {
			const archive = await zip(names.map((name, i) => ({ name, file: new Blob(["photo " + i]) })));
			return Buffer.from(await archive.arrayBuffer()).toString("base64");
		}`)
	var archive []byte
	if err := page.Ask(t, []string{"cats/1.jpg", "1.jpg", "cats/1.JPG", "cats/1.jpg", "cats/1 (2).jpg", "a.b/c", "a.b/c"}, &archive); err != nil {
		t.Fatalf("%+v", err)
	}
	r := require.Value(zip.NewReader(bytes.NewReader(archive), int64(len(archive))))(t)
	var names []string
	for i, f := range r.File {
		names = append(names, f.Name)
		content := require.Value(f.Open())(t)
		if text := require.Value(io.ReadAll(content))(t); string(text) != "photo "+string(rune('0'+i)) {
			t.Errorf("%s holds %q", f.Name, text)
		}
	}
	if want := []string{"cats/1.jpg", "1.jpg", "cats/1 (2).JPG", "cats/1 (3).jpg", "cats/1 (2) (2).jpg", "a.b/c", "a.b/c (2)"}; !slices.Equal(names, want) {
		t.Errorf("the archive has %q, want %q", names, want)
	}
}

// A photo that was being read when another folder was opened is not among that folder's photos.
func TestPhotosStayInTheirFolder(t *testing.T) {
	page := nodetest.Start(t, `
		import { register } from "node:module";
		register("data:text/javascript," + encodeURIComponent(
			'export const resolve = (name, context, next) => next(name === "deepemd" ? "data:text/javascript,export const DeepEMD = globalThis.DeepEMD" : name, context);'));
		const anything = new Proxy(function () {}, { get: () => anything, set: () => true, apply: () => anything, construct: () => anything });
		const elements = {};
		const waiting = [], saved = [];
		Object.assign(globalThis, {
			document: { querySelector: (name) => (elements[name] ??= { classList: anything, replaceChildren() {} }), createElement: () => ({ append() {}, click() {}, getContext: () => anything }) },
			addEventListener() {}, Option: class {}, HTMLElement: class {},
			createImageBitmap: () => new Promise((resolve) => waiting.push(() => resolve({ close() {} }))),
			DeepEMD: { create: async () => ({ classes: [], embed: async (_, { signal }) => (signal.throwIfAborted(), { data: [] }) }) },
		});
		URL.createObjectURL = (blob) => saved.push(blob);
		process.on("unhandledRejection", () => {});
		await import(ROOT + "web/examples/sort/main.js");
		async function answer(folders) {
			for (const name of folders) {
				elements["#files"].onchange({ target: { files: [{ name, webkitRelativePath: "folder/" + name }] } }).catch(() => {});
				await new Promise((resolve) => setTimeout(resolve, 20));
			}
			for (const go of waiting) go();
			await new Promise((resolve) => setTimeout(resolve, 20));
			elements["#list"].onclick();
			return (await saved[0].text()).split("\r\n");
		}`)
	var lines []string
	if err := page.Ask(t, []string{"first.jpg", "second.jpg"}, &lines); err != nil || !slices.Equal(lines, []string{"photo,album", `"second.jpg",""`}) {
		t.Errorf("%q, error %+v", lines, err)
	}
}
