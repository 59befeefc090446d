//go:build !js

package page_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/network"
	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/testsite"
	"github.com/deepemd/deepemd/internal/wasmtest"
)

// given makes every kind of file argument from the file's address.
const given = `async (kind, address) => {
	const bytes = async () => (await fetch(address)).arrayBuffer();
	switch (kind) {
		case "string": return address;
		case "URL": return new URL(address, location.href);
		case "Blob": return (await fetch(address)).blob();
		case "ArrayBuffer": return bytes();
		case "typed array": {
			const file = new Uint8Array(await bytes());
			const roomy = new Uint8Array(file.length + 24);
			roomy.set(file, 8);
			return roomy.subarray(8, 8 + file.length);
		}
		case "Response": return fetch(address);
	}
}`

// Network, program and worker's script are taken as files of any kind, and an engine that
// has crashed needs none of them again.
func TestFilesOfAnyKind(t *testing.T) {
	_, b := newSite(t)
	for _, kind := range []string{"string", "URL", "Blob", "ArrayBuffer", "typed array", "Response"} {
		t.Run(kind, func(t *testing.T) {
			got := browsertest.Eval[struct {
				Before, After, Changed string
				Left                   int
			}](b, fmt.Sprintf(`(async () => {
				const make = %s;
				const kind = %q;
				const options = { weights: await make(kind, small), engine: await make(kind, "/deepemd/deepemd.wasm"), worker: await make(kind, "/deepemd/worker.js") };
				const engine = await taught(options);
				const best = async () => (await engine.classify(canvas)).scores[0].label;
				const before = await best();
				const restart = next(engine, "restart");
				engine[crash]("panic").catch(() => {});
				await restart;
				const after = await best();
				await engine.configure({ weights: await make(kind, small) });
				const changed = await best();
				engine.dispose();
				const { weights } = options;
				return { before, after, changed, left: weights.byteLength ?? weights.size ?? -1 };
			})()`, given, kind))
			if got.Before != "blue" || got.After != "blue" || got.Changed != "blue" {
				t.Errorf("answers %+v, want blue", got)
			}
			if got.Left == 0 {
				t.Error("what was given was taken from the page")
			}
		})
	}
	for expression, want := range map[string][2]string{
		`fetch("/weights/nowhere.safetensors")`:                                                {"network", "404"},
		`fetch(small).then(async (r) => (await r.text(), r))`:                                  {"bad-argument", "clone()"},
		`fetch("/weights/cut.safetensors")`:                                                    {"network", "is incomplete"},
		`fetch("/pictures/text.jpg")`:                                                          {"bad-weights", ""},
		`fetch("/weights/truncated.safetensors").then((r) => r.blob())`:                        {"bad-weights", ""},
		`fetch("/pictures/text.jpg").then(async (r) => new Uint8Array(await r.arrayBuffer()))`: {"bad-weights", ""},
	} {
		got := browsertest.Eval[failure](b, `(async () => failure(DeepEMD.create({ weights: await `+expression+` })))()`)
		got.Check(t, want[0], want[1])
	}
}

// Next's bundlers replace the addresses of the package's files by objects without an origin.
func TestAddressesWithoutOrigin(t *testing.T) {
	_, b := newSite(t)
	if got := browsertest.Eval[string](b, `(async () => {
		const real = URL;
		window.URL = class extends real {
			constructor(address, base) {
				super(address, base);
				const { pathname } = this;
				if (String(address).startsWith(".")) Object.defineProperties(this, { href: { value: pathname }, origin: { value: "" }, protocol: { value: "" }, toString: { value: () => pathname } });
			}
		};
		const { openGallery } = await import("/deepemd/gallery.js"), { loadSolver } = await import("/deepemd/solver.js");
		const engine = await taught();
		await loadSolver();
		return (await openGallery(engine, "relative")).name + ", " + (await engine.classify(canvas)).scores[0].label;
	})()`); got != "relative, blue" {
		t.Error(got)
	}
}

// encodings gives out files, compressed below /gzip/ and as they are below /plain/, with
// the length of what travels, to any origin.
func encodings(t *testing.T, files map[string][]byte) string {
	t.Helper()
	dir := require.Value(testsite.Site())(t)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name, packed := strings.CutPrefix(r.URL.Path, "/gzip/")
		name = strings.TrimPrefix(strings.TrimPrefix(name, "/plain"), "/")
		data, found := files[name]
		if !found {
			var err error
			if data, err = os.ReadFile(filepath.Join(dir, filepath.FromSlash(name))); err != nil {
				http.NotFound(w, r)
				return
			}
		}
		w.Header().Set("Access-Control-Allow-Origin", "*")
		for ending, kind := range map[string]string{".js": "text/javascript", ".wasm": "application/wasm", ".html": "text/html"} {
			if path.Ext(name) == ending {
				w.Header().Set("Content-Type", kind)
			}
		}
		if packed {
			var z bytes.Buffer
			writer := gzip.NewWriter(&z)
			writer.Write(data)
			writer.Close()
			data = z.Bytes()
			w.Header().Set("Content-Encoding", "gzip")
		}
		w.Header().Set("Content-Length", strconv.Itoa(len(data)))
		w.Write(data)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// Progress counts decompressed bytes, with the total, for every origin and form. It never exceeds the
// total.
func TestProgress(t *testing.T) {
	small := serve(t).SmallWeights
	list := require.Value(json.Marshal(map[string]any{"parts": []string{"p.0", "p.1"}, "bytes": len(small)}))(t)
	files := map[string][]byte{
		"test.html": []byte(wasmtest.BlankPage), "mine.safetensors": small,
		"pieces.safetensors": list, "p.0": small[:len(small)/3], "p.1": small[len(small)/3:],
	}
	here, elsewhere := encodings(t, files), encodings(t, files)
	dir := require.Value(testsite.Site())(t)
	engine := require.Value(os.Stat(filepath.Join(dir, "deepemd", "deepemd.wasm")))(t)
	b := browsertest.Start(t, browsertest.Options{})
	b.Open(here + "/test.html")
	b.WaitFor("window.loaded")
	for _, server := range []string{here, elsewhere} {
		for _, form := range []string{"/plain", "/gzip"} {
			at := server + form
			name := "same origin" + form
			if server == elsewhere {
				name = "other origin" + form
			}
			// The length of a foreign engine is known only if it is not compressed.
			foreign := 0
			if server == here && form == "/plain" {
				foreign = int(engine.Size())
			}
			for _, c := range []struct {
				what, options   string
				engine, weights int
			}{
				{"of the package", fmt.Sprintf(`{ base: %q, weights: %q }`, at+"/deepemd", at+"/weights/"+network.ResNet12PhotoFile), int(engine.Size()), len(network.ResNet12PhotoWeights())},
				{"weights of one's own", fmt.Sprintf(`{ weights: %q }`, at+"/mine.safetensors"), int(engine.Size()), len(small)},
				{"weights in pieces", fmt.Sprintf(`{ weights: %q }`, at+"/pieces.safetensors"), int(engine.Size()), len(small)},
				{"engine of one's own", fmt.Sprintf(`{ weights: %q, engine: %q }`, at+"/mine.safetensors", at+"/deepemd/deepemd.wasm"), foreign, len(small)},
				{"responses", fmt.Sprintf(`{ weights: await fetch(%q), engine: await fetch(%q) }`, at+"/mine.safetensors", at+"/deepemd/deepemd.wasm"), foreign, len(small)},
			} {
				t.Run(name+", "+c.what, func(t *testing.T) {
					seen := browsertest.Eval[map[string][][2]int](b, `(async () => {
						const seen = {};
						const engine = await DeepEMD.create({ ...`+c.options+`, onProgress: ({ stage, loaded, total }) => (seen[stage] ??= []).push([loaded, total]) });
						engine.dispose();
						return seen;
					})()`)
					checkProgress(t, "engine", seen["engine"], c.engine, int(engine.Size()))
					checkProgress(t, "weights", seen["weights"], c.weights, c.weights)
				})
			}
		}
	}
}

// checkProgress checks the progress of a file: the total is known from the start, or 0 until the end.
func checkProgress(t *testing.T, stage string, seen [][2]int, total, size int) {
	t.Helper()
	if len(seen) == 0 {
		t.Errorf("%s: nothing was said", stage)
		return
	}
	before := 0
	for i, p := range seen {
		last := i == len(seen)-1
		if p[0] < before || p[1] != total && !last || p[1] != 0 && p[0] > p[1] {
			t.Errorf("%s: %v after %d, want one more, of %d", stage, p, before, total)
		}
		if last && p != [2]int{size, size} {
			t.Errorf("%s: at last %v, want all of %d", stage, p, size)
		}
		before = p[0]
	}
}
