//go:build !js

package embed_test

import (
	"bytes"
	"compress/gzip"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core"
	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/internal/testsite"
	"github.com/deepemd/deepemd/web/internal/studiotest"
)

// kinds are content types that pages and workers require.
var kinds = map[string]string{".js": "text/javascript", ".wasm": "application/wasm", ".html": "text/html; charset=utf-8"}

// delivery returns a server that acts like a content delivery network: it serves versioned packages
// under /npm, to any origin, compressed.
func delivery(t *testing.T) string {
	t.Helper()
	dir := must[string](t)(testsite.Packages())
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := strings.TrimPrefix(strings.TrimPrefix(r.URL.Path, "/npm/"), "@deepemd/")
		pack, file, found := strings.Cut(name, "@"+core.Version+"/")
		data, err := os.ReadFile(filepath.Join(dir, pack, filepath.FromSlash(file)))
		if !found || !fs.ValidPath(file) || err != nil {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Access-Control-Allow-Origin", "*")
		give(w, file, data)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// give serves a file, compressed, with its length.
func give(w http.ResponseWriter, name string, data []byte) {
	var packed bytes.Buffer
	z, _ := gzip.NewWriterLevel(&packed, gzip.BestSpeed)
	z.Write(data)
	z.Close()
	if kind := kinds[path.Ext(name)]; kind != "" {
		w.Header().Set("Content-Type", kind)
	}
	w.Header().Set("Content-Encoding", "gzip")
	w.Header().Set("Content-Length", strconv.Itoa(packed.Len()))
	w.Write(packed.Bytes())
}

// pages returns a server for another page: the given files, package deepemd under /deepemd and the
// networks under /weights, all with the given policy.
func pages(t *testing.T, policy string, files map[string]string) string {
	t.Helper()
	dir := must[string](t)(testsite.Packages())
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if policy != "" {
			w.Header().Set("Content-Security-Policy", policy)
		}
		name := strings.TrimPrefix(r.URL.Path, "/")
		if name == "" {
			name = "index.html"
		}
		if text, found := files[name]; found {
			give(w, name, []byte(text))
			return
		}
		data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if !fs.ValidPath(name) || err != nil {
			http.NotFound(w, r)
			return
		}
		give(w, name, data)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// manual returns the package's manual.
func manual(t *testing.T) string {
	t.Helper()
	return string(must[[]byte](t)(os.ReadFile(filepath.Join(root, "wasm", "npm", "README.md"))))
}

// common returns a file that projects share.
func common(t *testing.T, name string) string {
	t.Helper()
	return string(must[[]byte](t)(os.ReadFile(filepath.Join(testdata, "common", name))))
}

// script returns the shared script, with the given address of deepemd.js.
func script(t *testing.T, address string) string {
	t.Helper()
	solver := strings.Replace(address, "deepemd.js", "solver.js", 1)
	return strings.NewReplacer(`"deepemd"`, strconv.Quote(address), `"deepemd/solver"`, strconv.Quote(solver)).Replace(common(t, "main.js"))
}

// jsdelivr is the delivery network in the manual.
const jsdelivr = "https://cdn.jsdelivr.net"

// The line in the manual loads the package from another origin.
func TestDelivered(t *testing.T) {
	cdn := delivery(t)
	line := regexp.MustCompile(`(?m)^import .*"` + jsdelivr + `/.*$`).FindString(manual(t))
	if line == "" {
		t.Fatal("the manual imports nothing from a content delivery network")
	}
	solver := cdn + "/npm/deepemd@" + core.Version + "/cdn/solver.js"
	main := strings.NewReplacer(`import { DeepEMD } from "deepemd";`, strings.Replace(line, jsdelivr, cdn, 1), `"deepemd/solver"`, strconv.Quote(solver)).Replace(common(t, "main.js"))
	b := browsertest.Start(t, browsertest.Options{Camera: studiotest.PlainFilm(t)})
	ask(t, b, pages(t, "", map[string]string{"index.html": common(t, "index.html"), "main.js": main}), common(t, "check.js"))
	b.NoProblems()
}

// So does a page without own scripts.
func TestDeliveredElement(t *testing.T) {
	cdn := delivery(t)
	line := regexp.MustCompile(`<script type="module" src="` + jsdelivr + `.*</script>`).FindString(manual(t))
	if line == "" {
		t.Fatal("the manual takes no element from a content delivery network")
	}
	page := `<!DOCTYPE html><link rel="icon" href="data:,"><title>An element</title>` +
		strings.Replace(line, jsdelivr, cdn, 1) + `<deep-emd camera classes="cup, pen"></deep-emd>`
	b := browsertest.Start(t, browsertest.Options{Camera: studiotest.PlainFilm(t)})
	ask(t, b, pages(t, "", map[string]string{"index.html": page}), elementCheck)
	b.NoProblems()
}

// elementCheck teaches an element its classes and asks it.
const elementCheck = `async () => {
	const element = document.querySelector("deep-emd");
	const plain = (color) => {
		const canvas = Object.assign(document.createElement("canvas"), { width: 40, height: 40 });
		const context = canvas.getContext("2d");
		context.fillStyle = color;
		context.fillRect(0, 0, 40, 40);
		return canvas;
	};
	await element.engine;
	await element.teach("cup", plain("#c82820"));
	await element.teach("pen", plain("#2838c8"));
	const said = (await element.classify(plain("#3040b8"))).scores[0].label;
	return said === "pen" ? [] : ["a pen is taken for " + said];
}`

// soundCheck starts an element's microphone, and returns its method: if the policy blocks the
// script that collects samples, an older method replaces it.
const soundCheck = `async () => {
	const element = document.querySelector("deep-emd"), wrong = [], modules = [];
	const { addModule } = AudioWorklet.prototype;
	AudioWorklet.prototype.addModule = function (...from) {
		const added = addModule.apply(this, from);
		modules.push(added);
		return added;
	};
	await element.engine;
	await element.start();
	for (const added of modules) await added.catch((error) => wrong.push(String(error)));
	if (modules.length !== 1) wrong.push(modules.length + " scripts collect samples, want 1");
	await new Promise((resolve) => setTimeout(resolve, 1000));
	if (!((await element.teach("beep")).second?.length === 16000)) wrong.push("nothing was heard");
	element.stop();
	return wrong;
}`

// policies returns the manual's, in order: for the page's own origin, for another one, and the minimum
// for each.
func policies(t *testing.T) (own, other, trusted string) {
	t.Helper()
	lines := regexp.MustCompile(`(?m)^Content-Security-Policy: (.*)$`).FindAllStringSubmatch(manual(t), -1)
	further := regexp.MustCompile("`(; require-trusted-types-for [^`]*)`").FindStringSubmatch(manual(t))
	if len(lines) != 2 || further == nil {
		t.Fatalf("the manual has %d policies, and Trusted Types %q", len(lines), further)
	}
	return lines[0][1], lines[1][1], further[1]
}

// The policies of the manual let everything in that deepemd needs, to the letter.
func TestPolicies(t *testing.T) {
	own, other, trusted := policies(t)
	cdn := delivery(t)
	other = strings.ReplaceAll(other, "https://cdn.example", cdn)
	local := pagesNetworks(t)
	for _, c := range []struct{ name, policy, address string }{
		{"same origin", own, "/deepemd/deepemd.js"},
		{"same origin, Trusted Types", own + trusted, "/deepemd/deepemd.js"},
		{"other origin", other, cdn + "/npm/deepemd@" + core.Version + "/cdn/deepemd.js"},
		{"other origin, Trusted Types", other + trusted, cdn + "/npm/deepemd@" + core.Version + "/cdn/deepemd.js"},
	} {
		t.Run(c.name, func(t *testing.T) {
			element := `<!DOCTYPE html><title>An element</title><script type="module" src="` + strings.Replace(c.address, "deepemd.js", "element.js", 1) + `"></script>`
			files := map[string]string{
				"index.html":          strings.Replace(common(t, "index.html"), `<link rel="icon" href="data:," />`, "", 1),
				"main.js":             script(t, c.address),
				"deepemd/networks.js": local,
				"favicon.ico":         "",
				"element/index.html":  element + `<deep-emd camera classes="cup, pen"></deep-emd>`,
				"sound/index.html":    element + `<deep-emd sound classes="beep, hum"></deep-emd>`,
			}
			b := browsertest.Start(t, browsertest.Options{Camera: studiotest.PlainFilm(t)})
			url := pages(t, c.policy, files)
			ask(t, b, url, common(t, "check.js"))
			ask(t, b, url+"/element/index.html", elementCheck)
			ask(t, b, url+"/sound/index.html", soundCheck)
			b.NoProblems("favicon.ico")
		})
	}
}

// pagesNetworks returns networks.js for a server of the unchanged package folders.
func pagesNetworks(t *testing.T) string {
	t.Helper()
	text := string(must[[]byte](t)(os.ReadFile(filepath.Join(must[string](t)(testsite.Packages()), "deepemd", "networks.js"))))
	return strings.NewReplacer(`"@deepemd/resnet12-photo"`, `"/resnet12-photo/index.js"`, `"@deepemd/resnet12-sound"`, `"/resnet12-sound/index.js"`).Replace(text)
}

// If a policy blocks the worker, the error names the policy.
func TestPolicyThatForbids(t *testing.T) {
	own, _, _ := policies(t)
	for policy, want := range map[string]string{
		own + "; require-trusted-types-for 'script'; trusted-types none-of-ours": "unsupported trusted-types deepemd",
		strings.Replace(own, "worker-src 'self'", "worker-src 'none'", 1):        "network worker-src",
	} {
		b := browsertest.Start(t, browsertest.Options{Camera: studiotest.PlainFilm(t)})
		b.Open(pages(t, policy, map[string]string{
			"index.html":          common(t, "index.html"),
			"main.js":             script(t, "/deepemd/deepemd.js"),
			"deepemd/networks.js": pagesNetworks(t),
		}))
		got := browsertest.Eval[string](b, `window.start().then(() => "it started", ({ code, message }) => code + " " + message)`)
		for _, part := range strings.SplitN(want, " ", 2) {
			if !strings.Contains(got, part) {
				t.Errorf("%s: %q, want it to say %q", policy, got, part)
			}
		}
	}
}
