package server

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/deepemd/deepemd/internal/bombs"
	"github.com/deepemd/deepemd/internal/require"
)

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
		path = "/" + strings.TrimPrefix(path, "/") // as every request's is
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
