//go:build !js

package wasm_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/bombs"
	"github.com/deepemd/deepemd/internal/nodetest"
)

// FuzzDownload gives the worker arbitrary bytes as the response for the weights, in two
// chunks, and others as each piece that these list.
func FuzzDownload(f *testing.F) {
	worker := nodetest.Start(f, `
		const { install } = await import(ROOT + "wasm/npm/platform.js");
		let file, cut, asked;
		const body = (bytes) => new Response(new ReadableStream({ start(c) { for (const part of [bytes.subarray(0, cut), bytes.subarray(cut)]) if (part.length) c.enqueue(part); c.close(); } }));
		install({
			read: async (url) => (asked++ === 0 ? body(file) : body(new Uint8Array(100))),
			locate: (address) => new URL(address),
			startWorker() {},
		});
		globalThis.self = { postMessage() {} };
		const { download } = await import(ROOT + "wasm/npm/download.js");
		const { unfused } = await import(ROOT + "wasm/npm/unfuse.js");
		async function answer(given) {
			file = new Uint8Array(Buffer.from(given.file, "base64"));
			cut = given.cut % (file.length + 1);
			asked = 0;
			const got = await download({ url: "https://a.example/weights/mine", bytes: 0 });
			return { bytes: got.byteLength, asked };
		}`)
	for _, text := range []string{
		`{"parts": ["a.0", "a.1"], "bytes": 200}`, `{"parts": ["http://[", 3, null], "bytes": 100}`, `{"parts": {}, "bytes": 1}`, `{"parts": [], "bytes": 0}`, `{"parts": [""], "bytes": "100"}`,
		"\x02\x00\x00\x00\x00\x00\x00\x00{}", "\x04\x00\x00\x00\x00\x00\x00\x00null", "\x12\x00\x00\x00\x00\x00\x00\x00{\"a\":null,\"b\":null}", "\xff\xff\xff\xff\xff\xff\xff\xff", "<!doctype html>", "", "null",
		`{"parts": [` + strings.Repeat(`"",`, 20_000) + `""], "bytes": 1}`,
	} {
		f.Add([]byte(text), uint16(9))
	}
	f.Fuzz(func(t *testing.T, file []byte, cut uint16) {
		var got struct{ Bytes, Asked int }
		err := worker.Ask(t, map[string]any{"file": file, "cut": cut}, &got)
		switch {
		case err != nil && err.Code != "network" && err.Code != "bad-weights":
			t.Errorf("%s %s: %s", err.Name, err.Code, err.Stack)
		case err == nil && got.Asked == 1 && got.Bytes != len(file) && got.Bytes != 0: // an empty list
			t.Errorf("%d bytes of %d", got.Bytes, len(file))
		case err == nil && got.Bytes != 100*(got.Asked-1) && got.Asked > 1:
			t.Errorf("%d bytes in %d pieces", got.Bytes, got.Asked-1)
		}
	})
}

// FuzzUnfused undoes the fusing of modules of any bytes.
func FuzzUnfused(f *testing.F) {
	worker := nodetest.Start(f, `
		const { unfused } = await import(ROOT + "wasm/npm/unfuse.js");
		function answer({ file }) { return unfused(new Uint8Array(Buffer.from(file, "base64"))).length; }`)
	for _, tail := range []string{"unfused\x00\x00\x00\x00WASMWASM\x01\x00\x00\x00", "unfused\xff\xff\xff\xffWASMWASM\x01\x00\x00\x00", "unfused\x00\x00\x00\x00", "\x00\x00\x00\x00", "\xff\xff\xff\xff", ""} {
		f.Add([]byte("\x00asm\x01\x00\x00\x00" + tail))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		var length int
		if err := worker.Ask(t, map[string][]byte{"file": file}, &length); err != nil || length != len(file) {
			t.Errorf("%d bytes of %d, %+v", length, len(file), err)
		}
	})
}

// FuzzFolders lists the entries of archives of arbitrary bytes, like the page for zipped
// folders and projects of other programs, and reads the first files.
func FuzzFolders(f *testing.F) {
	page := nodetest.Start(f, `
		import { readFileSync } from "node:fs";
		const text = readFileSync(new URL(ROOT + "web/static/web/folders.js"), "utf8").replaceAll("deepemd/zip.js", ROOT + "wasm/npm/zip.js");
		const { unpack, hidden } = await import("data:text/javascript," + encodeURIComponent(text));
		const { BadArchive } = await import(ROOT + "wasm/npm/zip.js");
		async function answer({ file }) {
			const found = await unpack(new File([Buffer.from(file, "base64")], "project.tm"));
			let bytes = 0;
			for (const { source } of found.slice(0, 20)) {
				try {
					bytes += (await source.blob()).size;
				} catch (error) {
					if (!(error instanceof BadArchive)) throw error;
				}
			}
			return { hidden: found.filter(({ path }) => hidden(path)).length, bytes };
		}`)
	entries := []bombs.Entry{{Name: "manifest.json", Content: []byte("{}"), Deflate: true}, {Name: "Up-!-0.jpg", Content: bombs.PNG(8)}, {Name: "__MACOSX/x", Content: []byte("x")}, {Name: "a/b/../c", Content: nil}}
	whole := bombs.Archive(entries...)
	f.Add(whole)
	f.Add(whole[:len(whole)/2])
	f.Add(append(slices.Clone(whole), "a comment"...))
	f.Add(bombs.Claiming(whole, "Up-!-0.jpg", 1<<31))
	f.Add(bombs.Archive(append(entries, bombs.Entry{Name: "again", On: "Up-!-0.jpg"})...))
	f.Add(bombs.Archive(bombs.Entry{Name: "zeros", Content: make([]byte, 8<<20), Deflate: true}))
	f.Fuzz(func(t *testing.T, file []byte) {
		var got struct{ Hidden, Bytes int }
		err := page.Ask(t, map[string][]byte{"file": file}, &got)
		if err != nil && err.Code != "bad-zip" {
			t.Errorf("%s %s: %s", err.Name, err.Code, err.Stack)
		}
		if got.Hidden != 0 || got.Bytes > 1032*len(file) {
			t.Errorf("%d hidden files, %d bytes of %d", got.Hidden, got.Bytes, len(file))
		}
	})
}

// FuzzElement sets arbitrary attributes of the element. Accepted ones can be read back.
func FuzzElement(f *testing.F) {
	page := nodetest.Start(f, `
		const { SETTINGS, Settings } = await import(ROOT + "wasm/npm/element-settings.js");
		function answer({ text }) {
			const said = new Map();
			const host = { setAttribute: (name, value) => said.set(name, value), removeAttribute: (name) => said.delete(name) };
			const settings = new Settings(host, () => {});
			for (const name of Object.keys(SETTINGS)) settings.attribute(name, text);
			const wrong = settings.wrong().map(({ code }) => code);
			settings.options();
			settings.method();
			const values = Object.keys(SETTINGS).map((name) => settings.get(name) ?? undefined);
			for (const [i, name] of Object.keys(SETTINGS).entries()) {
				if (typeof values[i] === "string") continue; // a text is read as the attribute's
				settings.set(name, values[i]);
				if (JSON.stringify(settings.get(name)) !== JSON.stringify(values[i])) return name + " of " + JSON.stringify(values[i]) + " becomes " + JSON.stringify(settings.get(name));
			}
			return wrong.every((code) => code === "bad-argument") ? "" : wrong.join();
		}`)
	for _, text := range []string{"", "true", "3", `["salt, sea", "pepper"]`, "a, b", `{"kind": "grid"}`, "null", "[", "__proto__", `{"__proto__": 1}`, "1e999", "user", "[[[]]]", ` ["a" ]`, `{"toString": 3}`, "[1]", " ", ","} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var wrong string
		if err := page.Ask(t, map[string]string{"text": text}, &wrong); err != nil || wrong != "" {
			t.Errorf("%q: %s %+v", text, wrong, err)
		}
	})
}
