package server

import (
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"mime"
	"path"
	"strings"
)

// ErrSite says that a folder does not hold a built site.
var ErrSite = errors.New("not a built site")

// encodings are the content encodings of which the build may leave a copy
// beside a file, the smaller first, and the file name endings of the copies.
var encodings = []struct{ name, ending string }{
	{"br", ".br"},
	{"gzip", ".gz"},
}

// types are the MIME types of what a site is made of. They are listed here
// because the tables of operating systems differ, and a browser refuses a
// module script or a streamed WebAssembly binary of another type.
var types = map[string]string{
	".css":         "text/css; charset=utf-8",
	".deepemd":     "application/x-deepemd",
	".html":        "text/html; charset=utf-8",
	".ico":         "image/x-icon",
	".jpeg":        "image/jpeg",
	".jpg":         "image/jpeg",
	".js":          "text/javascript; charset=utf-8",
	".json":        "application/json",
	".map":         "application/json",
	".mjs":         "text/javascript; charset=utf-8",
	".png":         "image/png",
	".safetensors": "application/octet-stream",
	".svg":         "image/svg+xml",
	".ts":          "text/plain; charset=utf-8",
	".txt":         "text/plain; charset=utf-8",
	".wasm":        "application/wasm",
	".webmanifest": "application/manifest+json",
	".webp":        "image/webp",
}

// asset is one file of the site, in each encoding that the build made.
type asset struct {
	contentType string
	policy      string // Content-Security-Policy
	plain       body
	encoded     map[string]body // by name of the encoding
}

// body is what travels for one encoding of an asset.
type body struct {
	data []byte
	etag string
}

func newBody(data []byte) body {
	sum := sha256.Sum256(data)
	return body{data: data, etag: `"` + base64.RawURLEncoding.EncodeToString(sum[:15]) + `"`}
}

// largestSite is how many bytes a site may have, with its compressed copies: it is held
// in memory.
const largestSite = 2 << 30

// load reads a site of at most so many bytes into memory: a consistent picture of it,
// whatever is rebuilt in the folder afterwards. The keys are URL paths without the
// leading slash; a folder's index.html is also found under the folder's own path.
func load(site fs.FS, most int64) (map[string]*asset, error) {
	if _, err := fs.Stat(site, "index.html"); err != nil {
		return nil, fmt.Errorf("%w: it has no index.html: build one with `make build`", ErrSite)
	}
	read := func(name string) (body, error) {
		info, err := fs.Stat(site, name)
		if err != nil {
			return body{}, err
		}
		if !info.Mode().IsRegular() { // a folder with the name of a copy
			return body{}, fs.ErrNotExist
		}
		if most -= info.Size(); most < 0 {
			return body{}, fmt.Errorf("%s: with it the site is too large to be held in memory: does a link lead out of it?", name)
		}
		data, err := fs.ReadFile(site, name)
		return newBody(data), err
	}
	assets := map[string]*asset{}
	err := Walk(site, func(name string) (err error) {
		if encodingOf(name) != "" {
			return nil
		}
		a := &asset{contentType: contentType(name), policy: policy, encoded: map[string]body{}}
		if a.plain, err = read(name); err != nil {
			return err
		}
		if path.Ext(name) == ".html" {
			a.policy = pagePolicy(a.plain.data)
		}
		for _, e := range encodings {
			switch copied, err := read(name + e.ending); {
			case err == nil:
				a.encoded[e.name] = copied
			case !errors.Is(err, fs.ErrNotExist):
				return err
			}
		}
		assets[name] = a
		if dir, file := path.Split(name); file == "index.html" {
			assets[dir] = a
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("reading the site: %w", err)
	}
	return assets, nil
}

// encodingOf returns the encoding of a precompressed copy, or "".
func encodingOf(name string) string {
	for _, e := range encodings {
		if strings.HasSuffix(name, e.ending) {
			return e.name
		}
	}
	return ""
}

func contentType(name string) string {
	ext := strings.ToLower(path.Ext(name))
	if t, ok := types[ext]; ok {
		return t
	}
	if t := mime.TypeByExtension(ext); t != "" {
		return t
	}
	return "application/octet-stream"
}
