package server

import (
	"io/fs"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/fstest"
	"time"

	"github.com/deepemd/deepemd/internal/require"
)

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
