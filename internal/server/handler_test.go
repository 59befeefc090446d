package server

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/deepemd/deepemd/internal/bombs"
	"github.com/deepemd/deepemd/internal/require"
)

// site returns a small built site.
func site() fstest.MapFS {
	file := func(content string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(content)} }
	return fstest.MapFS{
		"index.html":                     file("<!DOCTYPE html><title>studio</title>"),
		"web/app.wasm":                   file("\x00asm studio"),
		"web/app.wasm.br":                file("br"),
		"web/app.wasm.gz":                file("gzip"),
		"deepemd/deepemd.js":             file("export {}"),
		"deepemd/deepemd.d.ts":           file("export {}"),
		"weights/resnet12-s.safetensors": file("weights"),
		"examples/plain/index.html":      file("<script type=module>import 'x'</script>"),
		"web/studio.css":                 file("body{}"),
		"web/icon.svg":                   file("<svg/>"),
		"manifest.webmanifest":           file("{}"),
		"LICENSE":                        file("MIT"),
		"pipe.txt":                       {Mode: fs.ModeNamedPipe},
		".env":                           file("secret"),
		"web/.git/config":                file("secret"),
	}
}

func get(t *testing.T, h http.Handler, path string, headers ...string) *http.Response {
	t.Helper()
	r := requestOf(path)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	return answerTo(h, r)
}

func requestOf(path string) *http.Request { return httptest.NewRequest(http.MethodGet, path, nil) }

func answerTo(h http.Handler, r *http.Request) *http.Response {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Result()
}

func text(t *testing.T, r *http.Response) string {
	t.Helper()
	data := require.Value(io.ReadAll(r.Body))(t)
	return string(data)
}

func newHandler(t *testing.T) http.Handler {
	t.Helper()
	h := require.Value(New(site(), nil, false))(t)
	return h
}

func TestPaths(t *testing.T) {
	h := newHandler(t)
	for _, c := range []struct {
		path, contentType string
		status            int
	}{
		{"/", "text/html; charset=utf-8", 200},
		{"/index.html", "text/html; charset=utf-8", 200},
		{"/web/app.wasm", "application/wasm", 200},
		{"/web/studio.css", "text/css; charset=utf-8", 200},
		{"/web/icon.svg", "image/svg+xml", 200},
		{"/deepemd/deepemd.js", "text/javascript; charset=utf-8", 200},
		{"/deepemd/deepemd.d.ts", "text/plain; charset=utf-8", 200},
		{"/weights/resnet12-s.safetensors", "application/octet-stream", 200},
		{"/manifest.webmanifest", "application/manifest+json", 200},
		{"/LICENSE", "application/octet-stream", 200},
		{"/examples/plain/", "text/html; charset=utf-8", 200},
		{"/examples/plain", "", 301},
		{"/web/app.wasm.br", "text/plain; charset=utf-8", 404},
		{"/web", "text/plain; charset=utf-8", 404},
		{"/.env", "text/plain; charset=utf-8", 404},
		{"/web/.git/config", "text/plain; charset=utf-8", 404},
		{"/examples//plain", "text/plain; charset=utf-8", 404},
		{"/pipe.txt", "text/plain; charset=utf-8", 404},
		{"/nothing", "text/plain; charset=utf-8", 404},
		{"/../handler.go", "text/plain; charset=utf-8", 404},
	} {
		t.Run(c.path, func(t *testing.T) {
			r := get(t, h, c.path)
			if r.StatusCode != c.status {
				t.Errorf("status %d, want %d", r.StatusCode, c.status)
			}
			if got := r.Header.Get("Content-Type"); got != c.contentType {
				t.Errorf("Content-Type %q, want %q", got, c.contentType)
			}
			for _, name := range []string{
				"Content-Security-Policy", "Cross-Origin-Opener-Policy", "Cross-Origin-Embedder-Policy", "X-Content-Type-Options",
				"Permissions-Policy", "Referrer-Policy",
			} {
				if r.Header.Get(name) == "" {
					t.Errorf("no %s", name)
				}
			}
		})
	}
}

func TestFolderRedirectIsRelative(t *testing.T) {
	for query, want := range map[string]string{"": "plain/", "?camera=2&x=%20": "plain/?camera=2&x=%20"} {
		if got := get(t, newHandler(t), "/examples/plain"+query).Header.Get("Location"); got != want {
			t.Errorf("Location %q, want %q", got, want)
		}
	}
}

func TestEncodings(t *testing.T) {
	h := newHandler(t)
	for _, c := range []struct{ name, accept, encoding, body string }{
		{"none asked", "", "", "\x00asm studio"},
		{"both", "gzip, deflate, br, zstd", "br", "br"},
		{"gzip only", "gzip", "gzip", "gzip"},
		{"in several lines", "deflate\nbr", "br", "br"},
		{"brotli refused", "br;q=0, gzip;q=0.5", "gzip", "gzip"},
		{"nonsense", ";;,=", "", "\x00asm studio"},
	} {
		t.Run(c.name, func(t *testing.T) {
			asked := requestOf("/web/app.wasm")
			asked.Header["Accept-Encoding"] = strings.Split(c.accept, "\n")
			r := answerTo(h, asked)
			if got := r.Header.Get("Content-Encoding"); got != c.encoding {
				t.Errorf("Content-Encoding %q, want %q", got, c.encoding)
			}
			if got := text(t, r); got != c.body {
				t.Errorf("body %q, want %q", got, c.body)
			}
			if got := r.Header.Get("Vary"); got != "Accept-Encoding" {
				t.Errorf("Vary %q", got)
			}
			if got, want := r.Header.Get("X-Uncompressed-Length"), "11"; c.encoding != "" && got != want {
				t.Errorf("X-Uncompressed-Length %q, want %q", got, want)
			}
		})
	}
}

func TestRevalidation(t *testing.T) {
	h := newHandler(t)
	plain := get(t, h, "/web/app.wasm").Header.Get("ETag")
	brotli := get(t, h, "/web/app.wasm", "Accept-Encoding", "br").Header.Get("ETag")
	if plain == "" || plain == brotli {
		t.Fatalf("ETags %q and %q: want two different ones", plain, brotli)
	}
	for _, c := range []struct {
		name, accept, match string
		status              int
	}{
		{"same", "", plain, 304},
		{"one of several", "", `"other", W/` + plain, 304},
		{"any", "", "*", 304},
		{"encoded", "br", brotli, 304},
		{"of another encoding", "br", plain, 200},
		{"old", "", `"old"`, 200},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := get(t, h, "/web/app.wasm", "Accept-Encoding", c.accept, "If-None-Match", c.match)
			if r.StatusCode != c.status || r.Header.Get("Cache-Control") != "no-cache" {
				t.Errorf("status %d, Cache-Control %q, want %d and no-cache", r.StatusCode, r.Header.Get("Cache-Control"), c.status)
			}
			if body := text(t, r); c.status == 304 && body != "" {
				t.Errorf("304 with a body %q", body)
			}
		})
	}
}

func TestMethods(t *testing.T) {
	h := newHandler(t)
	for method, status := range map[string]int{
		http.MethodHead: 200, http.MethodPost: 405, http.MethodPut: 405, http.MethodDelete: 405,
	} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(method, "/", strings.NewReader("x")))
		if w.Code != status {
			t.Errorf("%s: status %d, want %d", method, w.Code, status)
		}
		if allowed := w.Header().Get("Allow"); status == 405 && allowed != "GET, HEAD" {
			t.Errorf("%s: Allow is %q", method, allowed)
		}
		if method == http.MethodHead && w.Body.Len() > 0 {
			t.Errorf("HEAD answered with a body")
		}
	}
}

func TestNoSite(t *testing.T) {
	_, err := New(fstest.MapFS{"web/app.wasm": {}}, nil, false)
	if !errors.Is(err, ErrSite) || !strings.Contains(err.Error(), "make build") {
		t.Errorf("error %v, want ErrSite with the remedy", err)
	}
}

// FuzzRequest requests any path with any headers. Responses contain only the site and the shared
// pages, complete or in the requested ranges.
func FuzzRequest(f *testing.F) {
	for _, path := range []string{"/", "/pages/cups.html", "/pages/../secret.txt", "/pages//cups.html", "/web/app.wasm", "/examples/plain", "//", "/pages/secret.txt", "/pages/cups.html/", "/pages/\\..\\secret.txt"} {
		f.Add(path, "bytes=0-0,2-3", "br;q=0.5", `"x"`, "")
		f.Add(path, "bytes=-5", "identity;q=0", "*", `W/"1-2"`)
		f.Add(path, "bytes=5-2,9-,99999999999999999999-", "gzip", "", "Wed, 21 Oct 2015 07:28:00 GMT")
	}
	const cups = "<!DOCTYPE html><title>cups</title>"
	pages := fstest.MapFS{"cups.html": {Data: []byte(cups)}, "secret.txt": {Data: []byte("secret")}}
	h := require.Value(New(site(), pages, false))(f)
	f.Fuzz(func(t *testing.T, path, ranges, accept, none, since string) {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		path = "/" + strings.TrimPrefix(path, "/")
		r.URL.Path = path
		for name, value := range map[string]string{"Range": ranges, "Accept-Encoding": accept, "If-None-Match": none, "If-Range": since} {
			r.Header.Set(name, value)
		}
		w := httptest.NewRecorder()
		bombs.Budget(t, 1<<20, 4096, len(path)+len(ranges)+len(accept)+len(none)+len(since), func() { h.ServeHTTP(w, r) })
		body := require.Value(io.ReadAll(w.Result().Body))(t)
		if bytes.Contains(body, []byte("secret")) && !bytes.Contains([]byte(path), []byte("secret")) {
			t.Errorf("%q: %q", path, body)
		}
		switch w.Code {
		case http.StatusOK:
			if n, err := strconv.Atoi(w.Header().Get("Content-Length")); err != nil || n != len(body) {
				t.Errorf("%q: %d bytes, and it says %q", path, len(body), w.Header().Get("Content-Length"))
			}
			if path == "/pages/cups.html" && string(body) != cups {
				t.Errorf("%q", body)
			}
		case http.StatusPartialContent:
			if len(body) > 1<<10 {
				t.Errorf("%q: a part of %d bytes", path, len(body))
			}
		case http.StatusMovedPermanently, http.StatusNotModified, http.StatusNotFound, http.StatusNotAcceptable, http.StatusRequestedRangeNotSatisfiable, http.StatusPreconditionFailed:
		default:
			t.Errorf("%q: status %d", path, w.Code)
		}
		if to := w.Header().Get("Location"); to != "" && (len(to) < 2 || to[0] == '/') {
			t.Errorf("%q leads to %q", path, to)
		}
	})
}

// FuzzParseHosts parses host names of --host. Accepted names are answered.
func FuzzParseHosts(f *testing.F) {
	for _, name := range []string{"example.org", "*.example.org", "*", "192.0.2.1", "[::1]", "bücher.example", "https://x", "a:80", "", ".", "*.", "xn--", "a_b"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		bombs.Budget(t, 1<<20, 512, len(name), func() {
			h, err := parseHosts([]string{name})
			if err != nil {
				return
			}
			for clean := range h.names {
				if !h.answer(clean, nil) && !h.answer("["+clean+"]", nil) {
					t.Errorf("%q: %q is not answered", name, clean)
				}
			}
		})
	})
}
