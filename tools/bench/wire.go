package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/andybalholm/brotli"
	"github.com/evanw/esbuild/pkg/api"
)

// smallest is the smallest page that tells things apart by a few examples with something.
type smallest struct {
	name, script string
	needs        string   // the package of it that has to be installed; "" for ours
	files        []string // folders of it whose files the page fetches by itself
	weights      string   // of a network that the package does not hold: what is known of it, not measured
}

// embeds are ours and the peers', each with the network that its documentation begins with. What
// the networks weigh follows from their parameters, as published.
var embeds = []smallest{
	{name: "deepemd", script: "deepemd.js"},
	{name: "deepemd/solver, no network", script: "solver.js"},
	{"@tensorflow/tfjs, knn-classifier, mobilenet", "tfjs.js", "@tensorflow-models/mobilenet", nil, "MobileNet v1, 4.2 million parameters, float32: 17 MB"},
	{"@tensorflow/tfjs, @teachablemachine/image", "teachable.js", "@teachablemachine/image", nil, "MobileNet v2 0.35, 1.7 million parameters, float32: up to 6.6 MB"},
	{"onnxruntime-web", "onnxruntime.js", "onnxruntime-web", []string{"onnxruntime-web/dist"}, "any; MobileNet v2, 3.4 million parameters, float32: 14 MB"},
	{"@huggingface/transformers", "transformers.js", "@huggingface/transformers", []string{"@huggingface/transformers/node_modules/onnxruntime-web/dist"}, "DINOv2 small, 21 million parameters, 8 bits: 21 MB"},
	{"@mediapipe/tasks-vision", "mediapipe.js", "@mediapipe/tasks-vision", []string{"@mediapipe/tasks-vision/wasm"}, "MobileNet v3 small, 2.5 million parameters, float32: 10 MB"},
}

// wire counts what the smallest page that embeds something fetches before it can answer: page,
// code, and the network where the package holds it. All is compressed as far as brotli goes.
func wire(b *bench) error {
	c, err := startChromium()
	if err != nil {
		return err
	}
	defer c.cancel()
	for _, e := range embeds {
		if !strings.Contains(e.name, b.match) {
			continue
		}
		if _, err := os.Stat(filepath.Join(b.peers, "node_modules", filepath.FromSlash(e.needs))); err != nil && e.needs != "" {
			b.peerNotes[e.name] = "not installed: make bench-peers installs it"
			continue
		}
		if err := b.fetched(c, e); err != nil {
			return fmt.Errorf("%s: %w", e.name, err)
		}
	}
	return nil
}

// fetched opens a page and adds the row of what it fetches.
func (b *bench) fetched(c *chromium, e smallest) error {
	script, err := b.bundled(e)
	if err != nil {
		return err
	}
	var list []string
	for _, folder := range e.files {
		list = append(list, filepath.Join(b.peers, "node_modules", filepath.FromSlash(folder)))
	}
	p := &counted{
		made:    map[string][]byte{"/app/": []byte(`<!DOCTYPE html><title>page</title><link rel="icon" href="data:,"><script type="module" src="app.js"></script>`), "/app/app.js": script},
		folders: append(list, filepath.Join(b.site, "deepemd")), site: b.site, sent: map[string]int{},
	}
	server := httptest.NewServer(p)
	defer server.Close()
	ctx, err := c.tab(server.URL + "/app/")
	if err != nil {
		return err
	}
	problem, err := evaluate[string](ctx, `(async () => {
		const end = performance.now() + 240000;
		while (!globalThis.answered && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 20));
		return globalThis.answered === true ? "" : String(globalThis.answered ?? "no answer");
	})()`)
	if err != nil {
		return err
	}
	if problem != "" {
		return errors.New(problem)
	}
	code, network := p.total()
	note := p.list()
	if e.weights != "" {
		note += "; network not in the package and not measured (" + e.weights + ")"
	}
	b.rows = append(b.rows, row{What: e.name, Ours: float64(code+network) / 1e6, Unit: "MB", Note: note})
	return nil
}

// bundled is the script of a page, with its packages, as an app would serve it.
func (b *bench) bundled(e smallest) ([]byte, error) {
	source, err := pages.ReadFile("pages/wire/" + e.script)
	if err != nil {
		return nil, err
	}
	scripts, err := filepath.Abs("tools/bench/pages/wire")
	if err != nil {
		return nil, err
	}
	peers, err := filepath.Abs(b.peers)
	if err != nil {
		return nil, err
	}
	site, err := filepath.Abs(b.site)
	if err != nil {
		return nil, err
	}
	result := api.Build(api.BuildOptions{
		Stdin:  &api.StdinOptions{Contents: string(source), ResolveDir: scripts, Sourcefile: e.script},
		Bundle: true, Format: api.FormatESModule, Target: api.ES2022, LogLevel: api.LogLevelSilent,
		MinifyWhitespace: true, MinifySyntax: true, MinifyIdentifiers: true, LegalComments: api.LegalCommentsNone,
		NodePaths: []string{filepath.Join(peers, "node_modules")},
		Alias:     map[string]string{"deepemd": filepath.Join(site, "deepemd")},
		External:  []string{"node:*", "fs", "path", "crypto", "util", "string_decoder", "os", "worker_threads"},
		Define:    map[string]string{"process.env.NODE_ENV": `"production"`, "global": "globalThis"},
	})
	if len(result.Errors) > 0 {
		return nil, errors.New(result.Errors[0].Text)
	}
	return result.OutputFiles[0].Contents, nil
}

// counted serves a page's files as brotli and counts their bytes: those made for it, and
// others by their names from some folders.
type counted struct {
	made    map[string][]byte
	folders []string
	site    string

	mu   sync.Mutex
	sent map[string]int // by path
}

// ServeHTTP answers with a file.
func (p *counted) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	data, ok := p.made[r.URL.Path]
	for _, folder := range p.folders {
		if file, err := os.ReadFile(filepath.Join(folder, path.Base(r.URL.Path))); err == nil && !ok {
			data, ok = file, true
		}
	}
	if file, err := os.ReadFile(filepath.Join(p.site, filepath.FromSlash(path.Clean(r.URL.Path)))); err == nil && !ok {
		data, ok = file, true
	}
	if !ok {
		http.NotFound(w, r)
		return
	}
	var small bytes.Buffer
	z := brotli.NewWriterOptions(&small, brotli.WriterOptions{Quality: brotli.BestCompression, LGWin: 24})
	if _, err := z.Write(data); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	if err := z.Close(); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	p.mu.Lock()
	p.sent[r.URL.Path] = small.Len()
	p.mu.Unlock()
	w.Header().Set("Content-Encoding", "br")
	w.Header().Set("Content-Type", cmp.Or(mime.TypeByExtension(path.Ext(r.URL.Path)), "text/html"))
	if strings.HasSuffix(r.URL.Path, ".mjs") {
		w.Header().Set("Content-Type", "text/javascript")
	}
	w.Write(small.Bytes())
}

// total returns the bytes of code, and those of networks.
func (p *counted) total() (code, network int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for name, bytes := range p.sent {
		if strings.HasSuffix(name, ".safetensors") {
			network += bytes
			continue
		}
		code += bytes
	}
	return code, network
}

// list names the files that were fetched, the largest first.
func (p *counted) list() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var names []string
	for name := range p.sent {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int { return p.sent[b] - p.sent[a] })
	for i, name := range names {
		names[i] = fmt.Sprintf("%s %.3f", path.Base(name), float64(p.sent[name])/1e6)
	}
	return strings.Join(names, ", ")
}
