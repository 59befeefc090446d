package publish

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/deepemd/deepemd/core/network"
	"github.com/deepemd/deepemd/internal/nodetest"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/server"
)

// built returns a small built site.
func built() fstest.MapFS {
	files := fstest.MapFS{}
	for name, content := range map[string]string{
		"index.html":                         "<!DOCTYPE html><script>a()</script>",
		"deepemd/networks.js":                "export const networks = {};",
		"deepemd/deepemd.wasm":               "engine",
		"deepemd/deepemd.wasm.br":            "engine, compressed",
		"weights/resnet12-s.safetensors":     "0123456789",
		"weights/resnet12-sound.safetensors": "hears",
		"examples/plain/index.html":          "<script>b()</script>",
	} {
		files[name] = &fstest.MapFile{Data: []byte(content)}
	}
	return files
}

func TestExport(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "site")
	require.NoError(t, Export(dir, built(), ExportOptions{Piece: 4}))
	for name, want := range map[string]string{
		"weights/resnet12-s.safetensors":   `{"parts":["resnet12-s.safetensors.0","resnet12-s.safetensors.1","resnet12-s.safetensors.2"],"bytes":10}`,
		"weights/resnet12-s.safetensors.0": "0123",
		"weights/resnet12-s.safetensors.2": "89",
		"deepemd/deepemd.wasm":             "engine",
	} {
		if got, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name))); err != nil || string(got) != want {
			t.Errorf("%s holds %q (%v), want %q", name, got, err, want)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "deepemd/deepemd.wasm.br")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a compressed copy was exported (%v)", err)
	}
	headers := require.Value(os.ReadFile(filepath.Join(dir, "_headers")))(t)
	if n := strings.Count(string(headers), "'sha256-"); n != 2 {
		t.Errorf("the headers allow %d scripts, want those of the two pages:\n%s", n, headers)
	}
	readme := require.Value(os.ReadFile(filepath.Join(dir, "README.md")))(t)
	if !bytes.Contains(readme, []byte("  Content-Security-Policy: default-src 'none'")) {
		t.Error("the README does not say the policy")
	}
	if left, err := filepath.Glob(filepath.Join(dir, "..", ".new-*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v (%v)", left, err)
	}
	if err := Export(dir, built(), ExportOptions{}); err == nil || !strings.Contains(err.Error(), "not empty") {
		t.Errorf("a second export into the same folder: %v, want it refused", err)
	}
}

func TestExportOtherWeights(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, Export(dir, built(), ExportOptions{Weights: []byte("mine"), WeightsName: "mine.safetensors"}))
	module, err := os.ReadFile(filepath.Join(dir, "deepemd", "networks.js"))
	if err != nil || !bytes.Contains(module, []byte(`pictures: { get url() { return new URL("../weights/mine.safetensors", import.meta.url); }, bytes: 4, sha256: "`)) ||
		!bytes.Contains(module, []byte(`sounds: { get url() { return new URL("../weights/resnet12-sound.safetensors", import.meta.url); }, bytes: `)) {
		t.Errorf("networks.js says %q (%v)", module, err)
	}
	entries, err := os.ReadDir(filepath.Join(dir, "weights"))
	if err != nil || len(entries) != 2 || entries[0].Name() != "mine.safetensors" || entries[1].Name() != "resnet12-sound.safetensors" {
		t.Errorf("weights: %v (%v), want mine and the network for sounds", entries, err)
	}
	worker, err := os.ReadFile(filepath.Join(dir, "sw.js"))
	if err != nil || !bytes.Contains(worker, []byte(`"weights/mine.safetensors"`)) || bytes.Contains(worker, []byte("resnet12-s.safetensors")) {
		t.Errorf("the service worker keeps other weights (%v)", err)
	}
}

// Pages are in a separate folder, outside the service worker's scope, with separate headers, like
// everything that pages of other origins may use.
func TestExportPages(t *testing.T) {
	shared := fstest.MapFS{
		"cups.html":     {Data: []byte("<script>c()</script>")},
		"sub/c.deepemd": {Data: []byte("PK")},
		"notes.txt":     {Data: []byte("mine")},
	}
	for _, embeddable := range []bool{false, true} {
		dir := filepath.Join(t.TempDir(), "site")
		require.NoError(t, Export(dir, built(), ExportOptions{Pages: shared, Embeddable: embeddable}))
		for name, want := range map[string]bool{"pages/cups.html": true, "pages/sub/c.deepemd": true, "pages/notes.txt": false} {
			if _, err := os.Stat(filepath.Join(dir, filepath.FromSlash(name))); (err == nil) != want {
				t.Errorf("%s: there %v, want %v", name, err == nil, want)
			}
		}
		read := func(name string) string {
			data := require.Value(os.ReadFile(filepath.Join(dir, name)))(t)
			return string(data)
		}
		if worker := read("sw.js"); strings.Contains(worker, "pages/") {
			t.Error("the service worker keeps shared pages")
		}
		rules := map[string]string{}
		pattern := ""
		for line := range strings.Lines(read("_headers")) {
			if strings.HasPrefix(line, "/") {
				pattern = strings.TrimSpace(line)
				if rules[pattern] != "" {
					t.Errorf("two rules for %s", pattern)
				}
			} else {
				rules[pattern] += line
			}
		}
		for _, want := range []string{"/", "/index.html", "/sw.js", "/deepemd/*", "/weights/*", "/examples/*", "/pages/*"} {
			if !strings.Contains(rules[want], "X-Content-Type-Options: nosniff") {
				t.Errorf("no rule for %s among %v", want, slices.Sorted(maps.Keys(rules)))
			}
		}
		for pattern, lines := range rules {
			page := pattern == "/pages/*"
			open := embeddable && (page || pattern == "/deepemd/*" || pattern == "/weights/*")
			if got := strings.Contains(lines, "Access-Control-Allow-Origin: *\n") && strings.Contains(lines, "Cross-Origin-Resource-Policy: cross-origin\n"); got != open {
				t.Errorf("embeddable %v: %s is open to other origins: %v, want %v", embeddable, pattern, got, open)
			}
			if got := !strings.Contains(lines, "frame-ancestors 'self'"); got != (embeddable && page) {
				t.Errorf("embeddable %v: %s may be framed: %v", embeddable, pattern, got)
			}
			if got := strings.Contains(lines, "worker-src blob:"); got != page {
				t.Errorf("%s has the policy of shared pages: %v", pattern, got)
			}
		}
		if n := strings.Count(rules["/"], "'sha256-"); n != 2 {
			t.Errorf("the policy names %d scripts, want those of the studio's two pages", n)
		}
		if said := strings.Contains(read("README.md"), "pages of any origin"); said != embeddable {
			t.Errorf("embeddable %v: the README says that others may use the pages: %v", embeddable, said)
		}
	}
}

func TestExportRefuses(t *testing.T) {
	large := built()
	large["web/app.wasm"] = &fstest.MapFile{Data: make([]byte, LargestFile+1)}
	strange := built()
	delete(strange, "deepemd/networks.js")
	mine := ExportOptions{Weights: []byte("mine"), WeightsName: "mine.safetensors"}
	for _, c := range []struct {
		name string
		site fs.FS
		o    ExportOptions
		want string
	}{
		{"no site", fstest.MapFS{}, ExportOptions{}, "make build"},
		{"a large file", large, ExportOptions{}, "web/app.wasm"},
		{"weights elsewhere", built(), ExportOptions{Weights: []byte("a"), WeightsName: "../a.safetensors"}, "plain file name"},
		{"weights of another kind", built(), ExportOptions{Weights: []byte("a"), WeightsName: "a.onnx"}, ".safetensors"},
		{"weights in the place of others", built(), ExportOptions{Weights: []byte("a"), WeightsName: "resnet12-sound.safetensors"}, "rename the file"},
		{"weights in too many pieces", built(), ExportOptions{Weights: make([]byte, 300), WeightsName: "a.safetensors", Piece: 1}, "more than 256 pieces"},
		{"another version", strange, mine, "networks.js"},
		{"no pages", built(), ExportOptions{Pages: fstest.MapFS{"notes.txt": {}}}, "shared pages (.html)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "site")
			err := Export(dir, c.site, c.o)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one about %s", err, c.want)
			}
			if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("something was written (%v)", err)
			}
		})
	}
	if err := Export(t.TempDir(), fstest.MapFS{}, ExportOptions{}); !errors.Is(err, server.ErrSite) {
		t.Errorf("error %v, want ErrSite", err)
	}
}

var update = flag.Bool("update", false, "write wasm/npm/networks.js")

// The source contains the same module as an export for the default models.
func TestNetworksModule(t *testing.T) {
	const path = "../../wasm/npm/networks.js"
	want := networksModule([]model{
		{"pictures", network.ResNet12PhotoFile, network.ResNet12PhotoWeights()},
		{"small", network.ResNet12XSFile, network.ResNet12XSWeights()},
		{"former", network.ResNet12SFile, network.ResNet12SWeights()},
		{"sounds", network.ResNet12SoundFile, network.ResNet12SoundWeights()},
	})
	if *update {
		require.NoError(t, os.WriteFile(path, want, 0o666))
	}
	if source := require.Value(os.ReadFile(path))(t); !bytes.Equal(source, want) {
		t.Errorf("%s holds\n%s\nwant\n%s\ngo test ./internal/publish -run TestNetworksModule -update writes it", path, source, want)
	}
}

func TestWorkerNamesWhatTheStudioNeeds(t *testing.T) {
	site := fstest.MapFS{}
	for _, name := range []string{"index.html", "web/app.wasm", "web/app.wasm.br", "deepemd/deepemd.js", "deepemd/deepemd.d.ts", "deepemd/node-thread.js", "deepemd/gallery.js", "deepemd/deepemd-gallery.wasm", "weights/README.md", "weights/a.safetensors", "examples/plain/index.html", "docs/index.html", "pages/cups.html", "sw.js", "_headers"} {
		site[name] = &fstest.MapFile{Data: []byte(name)}
	}
	worker := require.Value(Worker(site))(t)
	text := string(worker)
	for name, want := range map[string]bool{
		`"./": "`: true, `"web/app.wasm": "`: true, `"deepemd/deepemd.js": "`: true, `"weights/a.safetensors": "`: true,
		"app.wasm.br": false, "d.ts": false, "node-thread": false, "gallery": false, "README.md": false, "examples/": false, "pages/": false, `"sw.js"`: false, "_headers": false, "index.html\":": false,
	} {
		if strings.Contains(text, name) != want {
			t.Errorf("the worker names %s: %v, want %v", name, !want, want)
		}
	}

	again, err := Worker(site)
	if err != nil || !bytes.Equal(again, worker) {
		t.Errorf("two workers of the same site differ (%v)", err)
	}
	site["web/app.wasm"] = &fstest.MapFile{Data: []byte("new")}
	if other, err := Worker(site); err != nil || bytes.Equal(other, worker) {
		t.Errorf("the worker is the same although a file is another (%v)", err)
	}
	site["examples/plain/index.html"] = &fstest.MapFile{Data: []byte("new")}
	site["web/app.wasm"] = &fstest.MapFile{Data: []byte("web/app.wasm")}
	if same, err := Worker(site); err != nil || !bytes.Equal(same, worker) {
		t.Errorf("the worker is another although no file that it keeps is (%v)", err)
	}
}

// TestWorkerStoresTheModel: the worker stores a site's own model at once, under any name, and further models of this
// project later.
func TestWorkerStoresTheModel(t *testing.T) {
	page := nodetest.Start(t, `
		async function answer({ worker }) {
			const listeners = {}, scope = "https://example.org/";
			const self = { registration: { scope }, addEventListener: (kind, listener) => (listeners[kind] = listener) };
			const stored = [];
			const caches = { open: async () => ({ match: async () => undefined, put: async (key) => void stored.push(key.slice(scope.length).replace(/\?.*/, "")) }) };
			const fetch = async (url) => new Response(new URL(url).pathname.slice(1));
			new Function("self", "caches", "fetch", worker)(self, caches, fetch);
			await new Promise((resolve) => listeners.install({ waitUntil: resolve }));
			return stored;
		}`)
	for _, test := range []struct{ models, stored []string }{
		{[]string{network.ResNet12PhotoFile, network.ResNet12SFile, network.ResNet12SoundFile, network.ResNet12XSFile}, []string{network.ResNet12PhotoFile, network.ResNet12SoundFile}},
		{[]string{network.ResNet12SFile, network.ResNet12SoundFile}, []string{network.ResNet12SFile, network.ResNet12SoundFile}},
		{[]string{"birds-s.safetensors", network.ResNet12SoundFile}, []string{"birds-s.safetensors", network.ResNet12SoundFile}},
	} {
		site := fstest.MapFS{}
		for _, file := range test.models {
			site["weights/"+file] = &fstest.MapFile{Data: []byte("weights/" + file)}
		}
		var want, got []string
		for _, file := range test.stored {
			want = append(want, "weights/"+file)
		}
		worker := string(require.Value(Worker(site))(t))
		if err := page.Ask(t, map[string]string{"worker": worker}, &got); err != nil || !slices.Equal(got, want) {
			t.Errorf("with %q the worker stores %q, error %+v, want %q", test.models, got, err, want)
		}
	}
}

// TestWorkerKeepsOtherStudios: a worker deletes its outdated files, and no files of other studios of the same origin.
func TestWorkerKeepsOtherStudios(t *testing.T) {
	page := nodetest.Start(t, `
		async function answer({ worker, kept }) {
			const listeners = {};
			const self = { registration: { scope: "https://example.org/a/" }, clients: { claim: async () => {} }, addEventListener: (kind, listener) => (listeners[kind] = listener) };
			const left = new Set(kept);
			const caches = { open: async () => ({ keys: async () => kept.map((url) => ({ url })), delete: async ({ url }) => left.delete(url) }) };
			new Function("self", "caches", worker)(self, caches);
			await new Promise((resolve) => listeners.activate({ waitUntil: resolve }));
			return [...left];
		}`)
	worker := string(require.Value(Worker(fstest.MapFS{"index.html": {Data: []byte("page")}}))(t))
	const origin = "https://example.org/"
	own := origin + "a/?sha256=" + fmt.Sprintf("%x", sha256.Sum256([]byte("page")))[:digestDigits]
	want := []string{own, origin + "?sha256=1", origin + "web/app.wasm?sha256=1", origin + "b/web/app.wasm?sha256=1", origin + "a/b/?sha256=1", origin + "a/b/web/app.wasm?sha256=1"}
	kept := append(slices.Clone(want), origin+"a/?sha256=1", origin+"a/web/app.wasm?sha256=1")
	var got []string
	if err := page.Ask(t, map[string]any{"worker": worker, "kept": kept}, &got); err != nil || !slices.Equal(got, want) {
		t.Errorf("the worker keeps %q, error %+v, want %q", got, err, want)
	}
}

// TestWorkerNames: the worker answers with its own files, whatever characters their names have, and leaves other
// addresses to the browser.
func TestWorkerNames(t *testing.T) {
	site := fstest.MapFS{}
	for _, name := range []string{"index.html", "weights/modèle (2).safetensors"} {
		site[name] = &fstest.MapFile{Data: []byte(name)}
	}
	page := nodetest.Start(t, `
		const listeners = {};
		const self = { registration: { scope: "https://example.org/a%20b/" }, addEventListener: (kind, listener) => (listeners[kind] = listener) };
		const caches = { open: async () => ({ match: async (key) => "kept" }) };
		async function answer({ worker, address }) {
			new Function("self", "caches", worker)(self, caches);
			let response = "";
			listeners.fetch({ request: { method: "GET", url: new URL(address, "https://example.org/a%20b/").href }, respondWith: (answer) => (response = answer) });
			return response;
		}`)
	worker := string(require.Value(Worker(site))(t))
	for address, want := range map[string]string{
		"": "kept", "index.html": "kept", "weights/modèle (2).safetensors": "kept", "weights/other.safetensors": "", "%E0": "", "../": "",
	} {
		var got string
		if err := page.Ask(t, map[string]string{"worker": worker, "address": address}, &got); err != nil || got != want {
			t.Errorf("%s: %q, error %+v, want %q", address, got, err, want)
		}
	}
}
