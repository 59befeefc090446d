package server

import (
	"io/fs"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/deepemd/deepemd/internal/require"
)

// pages returns a folder of shared pages and projects, and of other things.
func pages() fstest.MapFS {
	return fstest.MapFS{
		"cups.html":         {Data: []byte("<title>Cups</title><script>a()</script>")},
		"cups.deepemd":      {Data: []byte("PK")},
		"CAPS.DEEPEMD":      {Data: []byte("PK")},
		"sub/pens.html":     {Data: []byte("<title>Pens</title>")},
		"folder/index.html": {Data: []byte("<title>Folder</title>")},
		".hidden.html":      {Data: []byte("hidden")},
		".git/a.html":       {Data: []byte("hidden")},
		"secret.txt":        {Data: []byte("secret")},
		"folder.html/own":   {Data: []byte("in a folder")},
	}
}

func TestPages(t *testing.T) {
	h := require.Value(New(site(), pages(), false))(t)
	for _, c := range []struct {
		path, contentType string
		status            int
	}{
		{"/pages/cups.html", "text/html; charset=utf-8", 200},
		{"/pages/cups.deepemd", "application/x-deepemd", 200},
		{"/pages/CAPS.DEEPEMD", "application/x-deepemd", 200},
		{"/pages/sub/pens.html", "text/html; charset=utf-8", 200},
		{"/pages/.hidden.html", "text/plain; charset=utf-8", 404},
		{"/pages/.git/a.html", "text/plain; charset=utf-8", 404},
		{"/pages/secret.txt", "text/plain; charset=utf-8", 404},
		{"/pages/folder.html", "text/plain; charset=utf-8", 404},
		{"/pages/missing.html", "text/plain; charset=utf-8", 404},
		{"/pages/../cups.html", "text/plain; charset=utf-8", 404},
		{"/pages/sub//pens.html", "text/plain; charset=utf-8", 404},
		{"/pages//cups.html", "text/plain; charset=utf-8", 404},
		{"/pages/", "text/plain; charset=utf-8", 404},
		{"/pages/folder/", "text/html; charset=utf-8", 200},
		{"/pages", "text/plain; charset=utf-8", 404},
		{"/cups.html", "text/plain; charset=utf-8", 404},
	} {
		r := get(t, h, c.path)
		if r.StatusCode != c.status || r.Header.Get("Content-Type") != c.contentType {
			t.Errorf("%s: %d %s, want %d %s", c.path, r.StatusCode, r.Header.Get("Content-Type"), c.status, c.contentType)
		}
	}
	folder := pages()
	folder["index.html"] = folder["cups.html"]
	if r := get(t, require.Value(New(site(), folder, false))(t), "/pages/"); r.StatusCode != 200 {
		t.Errorf("status %d of a folder with an index.html", r.StatusCode)
	}
	if r := get(t, newHandler(t), "/pages/cups.html"); r.StatusCode != 404 {
		t.Errorf("status %d without a folder of pages", r.StatusCode)
	}
	tag := get(t, h, "/pages/cups.html").Header.Get("ETag")
	if r := get(t, h, "/pages/cups.html", "If-None-Match", tag); tag == "" || r.StatusCode != http.StatusNotModified {
		t.Errorf("status %d for the tag %q", r.StatusCode, tag)
	}
}

// A file that is added to the folder later is served.
func TestPagesAreReadWhenAskedFor(t *testing.T) {
	folder := fstest.MapFS{}
	h := require.Value(New(site(), folder, false))(t)
	if r := get(t, h, "/pages/new.html"); r.StatusCode != 404 {
		t.Errorf("status %d of a page that is not there", r.StatusCode)
	}
	folder["new.html"] = &fstest.MapFile{Data: []byte("new")}
	if r := get(t, h, "/pages/new.html"); r.StatusCode != 200 || text(t, r) != "new" {
		t.Errorf("status %d of a page that is", r.StatusCode)
	}
}

// TestWhoMayUseWhat checks the permissions of other origins for each file, in both modes.
func TestWhoMayUseWhat(t *testing.T) {
	const own = "frame-ancestors 'self'"
	for _, embeddable := range []bool{false, true} {
		h := require.Value(New(site(), pages(), embeddable))(t)
		for path, shared := range map[string]bool{
			"/": false, "/index.html": false, "/web/app.wasm": false, "/web/studio.css": false,
			"/examples/plain/": false, "/manifest.webmanifest": false, "/nothing": false,
			"/deepemd/deepemd.js": true, "/weights/resnet12-s.safetensors": true, "/deepemd/missing.js": true,
			"/pages/cups.html": true, "/pages/cups.deepemd": true, "/pages/missing.html": true,
		} {
			header := get(t, h, path).Header
			origin, policy, exposed := "", "same-origin", ""
			if embeddable && shared {
				origin, policy, exposed = "*", "cross-origin", "Content-Encoding, Content-Length, X-Uncompressed-Length"
			}
			for name, want := range map[string]string{
				"Access-Control-Allow-Origin":   origin,
				"Cross-Origin-Resource-Policy":  policy,
				"Access-Control-Expose-Headers": exposed,
			} {
				if got := header.Get(name); got != want {
					t.Errorf("embeddable %v: %s has %s %q, want %q", embeddable, path, name, got, want)
				}
			}
			framed := embeddable && path == "/pages/cups.html" || embeddable && path == "/pages/cups.deepemd"
			if got := !strings.Contains(header.Get("Content-Security-Policy"), own); got != framed {
				t.Errorf("embeddable %v: %s may be framed: %v, want %v", embeddable, path, got, framed)
			}
		}
	}
}

// A shared page comes with its own policy, under which its scripts run and nothing is
// sent; the studio's would stop its worker.
func TestSharedPagesHaveTheirOwnPolicy(t *testing.T) {
	exported := site() // with --pages
	exported["pages/cups.html"] = pages()["cups.html"]
	for _, h := range []http.Handler{require.Value(New(site(), pages(), false))(t), require.Value(New(exported, nil, false))(t)} {
		if got, want := get(t, h, "/pages/cups.html").Header.Get("Content-Security-Policy"), PlayerPolicy+"; frame-ancestors 'self'"; got != want {
			t.Errorf("policy\n%s\nwant\n%s", got, want)
		}
	}
}

// TestHeaders: Headers returns the headers that this server sends.
func TestHeaders(t *testing.T) {
	files := site()
	files["index.html"] = pages()["cups.html"] // it contains a script
	for _, embeddable := range []bool{false, true} {
		h := require.Value(New(files, pages(), embeddable))(t)
		for _, name := range []string{"index.html", "web/app.wasm", "deepemd/deepemd.js", "weights/resnet12-s.safetensors", "pages/cups.html", "pages/cups.deepemd"} {
			sent := get(t, h, "/"+name).Header
			for _, own := range []string{"Content-Type", "Content-Length", "Cache-Control", "Etag", "Vary", "Accept-Ranges", "Last-Modified"} {
				sent.Del(own)
			}
			var inline [][]byte
			if name == "index.html" {
				inline = append(inline, files[name].Data)
			}
			if told := Headers(name, embeddable, inline...); !maps.EqualFunc(sent, told, slices.Equal) {
				t.Errorf("embeddable %v: this server sends %s with\n%v\nothers are told\n%v", embeddable, name, sent, told)
			}
		}
	}
}

// counted is a folder that counts the bytes that are read from its files.
type counted struct {
	files fstest.MapFS
	read  *int
}

type countedFile struct {
	fs.File
	read *int
}

func (c counted) Open(name string) (fs.File, error) {
	f, err := c.files.Open(name)
	if err != nil {
		return nil, err
	}
	return countedFile{f, c.read}, nil
}

func (f countedFile) Read(p []byte) (int, error) {
	n, err := f.File.Read(p)
	*f.read += n
	return n, err
}

func (f countedFile) Seek(offset int64, whence int) (int64, error) {
	return f.File.(interface {
		Seek(int64, int) (int64, error)
	}).Seek(offset, whence)
}

// watched notes how much had been read when the first bytes were sent.
type watched struct {
	*httptest.ResponseRecorder
	read, atFirst *int
}

func (w watched) Write(p []byte) (int, error) {
	if *w.atFirst < 0 {
		*w.atFirst = *w.read
	}
	return w.ResponseRecorder.Write(p)
}

// Slow downloads of a large project do not each keep a copy in memory.
func TestPagesAreReadAsTheyAreSent(t *testing.T) {
	const size = 8 << 20
	read, atFirst := 0, -1
	h := require.Value(New(site(), counted{fstest.MapFS{"large.deepemd": {Data: make([]byte, size)}}, &read}, false))(t)
	w := watched{httptest.NewRecorder(), &read, &atFirst}
	h.ServeHTTP(w, requestOf("/pages/large.deepemd"))
	if w.Code != http.StatusOK || w.Body.Len() != size {
		t.Fatalf("status %d and %d bytes", w.Code, w.Body.Len())
	}
	if atFirst > 256<<10 {
		t.Errorf("%d bytes were read before one was sent", atFirst)
	}
	read = 0
	if r := get(t, h, "/pages/large.deepemd", "If-None-Match", w.Header().Get("ETag")); r.StatusCode != http.StatusNotModified || read > 0 {
		t.Errorf("status %d after %d bytes were read, want 304 and none", r.StatusCode, read)
	}
}

// A changed page gets a new tag, even if its size stays the same.
func TestChangedPages(t *testing.T) {
	folder := fstest.MapFS{"a.html": {Data: []byte("one"), ModTime: time.Unix(1, 0)}}
	h := require.Value(New(site(), folder, false))(t)
	tag := get(t, h, "/pages/a.html").Header.Get("ETag")
	folder["a.html"] = &fstest.MapFile{Data: []byte("two"), ModTime: time.Unix(1, 1)}
	if r := get(t, h, "/pages/a.html", "If-None-Match", tag); r.StatusCode != http.StatusOK || text(t, r) != "two" {
		t.Errorf("status %d for the tag of the old page", r.StatusCode)
	}
}

// A download that was broken off continues where it ended, of pages and of weights.
func TestPartOfAFile(t *testing.T) {
	h := require.Value(New(site(), pages(), false))(t)
	for _, path := range []string{"/pages/cups.html", "/weights/resnet12-s.safetensors"} {
		whole := text(t, get(t, h, path))
		if r := get(t, h, path, "Range", "bytes=5-"); r.StatusCode != http.StatusPartialContent || text(t, r) != whole[5:] {
			t.Errorf("status %d for a part of %s", r.StatusCode, path)
		}
	}
}
