// Package server is the HTTP server of a built site: the studio, the engine with deepemd.js, the
// weights and the examples.
//
// Everything is a file from the build; the server only computes headers, so that any file server
// can replace it. The Content-Security-Policy blocks requests to other origins.
package server

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"mime"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
)

// ErrSite reports a folder without a built site.
var ErrSite = errors.New("not a built site")

// New returns a handler that serves a built site: the precompressed copy of a file if the
// browser accepts it, correct MIME types, an ETag for every body, and headers that block
// requests to other origins. It reads files when they are requested; they must be io.Seekers, like
// *os.File. It does not serve files and folders whose names begin with a dot.
//
// The shared pages (.html) and project files (.deepemd) of the folder pages are served below
// /pages/, as is the index.html of a folder; pages may be nil. If embeddable is set, pages of any origin can show shared pages in
// frames, and fetch project files, the package and the models. The studio remains closed to them.
//
// # Errors
//
// It returns an error that wraps ErrSite if the folder holds no index.html.
func New(site, pages fs.FS, embeddable bool) (http.Handler, error) {
	if regular(site, "index.html") == nil {
		return nil, fmt.Errorf("%w: it has no index.html: build one with `make build`", ErrSite)
	}
	return &handler{site, pages, embeddable}, nil
}

type handler struct {
	site       fs.FS
	pages      fs.FS // shared pages and projects; may be nil
	embeddable bool
}

// ServeHTTP serves GET and HEAD.
func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	secure(header)
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		header.Set("Allow", "GET, HEAD")
		http.Error(w, "this server only gives out files", http.StatusMethodNotAllowed)
		return
	}
	name := strings.TrimPrefix(r.URL.Path, "/")
	if h.embeddable && Embeddable(name) {
		allowOrigins(header)
	}
	if base, page := strings.CutPrefix(name, PagesFolder); page && h.pages != nil {
		if base == "" || strings.HasSuffix(base, "/") {
			base += "index.html"
		}
		if IsPage(base) && serve(w, r, h.pages, base, sharedPolicy(h.embeddable)) {
			return
		}
	} else if h.serveSite(w, r, name) {
		return
	}
	http.Error(w, fmt.Sprintf("there is no %s on this server", r.URL.Path), http.StatusNotFound)
}

// serveSite serves a file of the site, or the index.html of a folder. It returns false, without an
// answer, if the file does not exist.
func (h *handler) serveSite(w http.ResponseWriter, r *http.Request, name string) bool {
	if name == "" || strings.HasSuffix(name, "/") {
		name += "index.html"
	} else if regular(h.site, name+"/index.html") != nil {
		// A relative address also works behind a proxy.
		to := url.URL{Path: path.Base(name) + "/", RawQuery: r.URL.RawQuery}
		w.Header().Set("Location", to.String())
		w.WriteHeader(http.StatusMovedPermanently)
		return true
	}
	p := policy
	if strings.HasPrefix(name, PagesFolder) { // of an exported site
		p = sharedPolicy(h.embeddable)
	} else if path.Ext(name) == ".html" {
		if page, err := fs.ReadFile(h.site, name); err == nil {
			p = pagePolicy(page)
		}
	}
	return serve(w, r, h.site, name, p)
}

// serve serves a file of a folder, or its smallest copy that the browser accepts. File names do not
// change between builds, so browsers must revalidate their copy, which gives an empty 304 if it is
// current. It returns false, without an answer, if the file does not exist.
func serve(w http.ResponseWriter, r *http.Request, files fs.FS, name, policy string) bool {
	compressed := func(e encoding) bool { return strings.HasSuffix(name, e.ending) }
	plain := regular(files, name)
	if slices.ContainsFunc(encodings, compressed) || plain == nil {
		return false
	}
	header := w.Header()
	chosen := encoding{}
	for _, e := range encodings {
		if regular(files, name+e.ending) != nil {
			header.Set("Vary", "Accept-Encoding")
			if chosen.name == "" && accepts(r.Header, e.name) {
				chosen = e
			}
		}
	}
	file, err := files.Open(name + chosen.ending)
	if err != nil {
		return false
	}
	defer file.Close()
	info, err := file.Stat()
	content, seeks := file.(io.ReadSeeker)
	if err != nil || !seeks {
		return false
	}
	header.Set("Content-Type", contentType(name))
	header.Set("Content-Security-Policy", policy)
	header.Set("Cache-Control", "no-cache")
	header.Set("ETag", fmt.Sprintf(`"%x-%x%s"`, info.Size(), info.ModTime().UnixNano(), chosen.ending))
	if chosen.name != "" {
		header.Set("Content-Encoding", chosen.name)
		header.Set("Content-Length", fmt.Sprint(info.Size()))
		// For progress bars: Content-Length is the compressed size.
		header.Set("X-Uncompressed-Length", fmt.Sprint(plain.Size()))
	}
	http.ServeContent(w, r, name, info.ModTime(), content)
	return true
}

// regular describes a regular file of a folder that may be served, or returns nil. Opening a pipe
// would block.
func regular(files fs.FS, name string) fs.FileInfo {
	if !fs.ValidPath(name) || strings.HasPrefix(name, ".") || strings.Contains(name, "/.") {
		return nil
	}
	info, err := fs.Stat(files, name)
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	return info
}

// encoding is a content encoding of precompressed files.
type encoding struct{ name, ending string }

// encodings in the order of preference.
var encodings = []encoding{{"br", ".br"}, {"gzip", ".gz"}}

// types are the MIME types of a site's files. The tables of operating systems differ, and browsers
// reject module scripts and streamed WebAssembly with other types.
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

func contentType(name string) string {
	ext := strings.ToLower(path.Ext(name))
	return cmp.Or(types[ext], mime.TypeByExtension(ext), "application/octet-stream")
}

// IsPage reports whether a file name belongs to a shared page or a project file.
func IsPage(name string) bool {
	return slices.Contains([]string{".html", ".deepemd"}, strings.ToLower(path.Ext(name)))
}

// accepts reports whether Accept-Encoding contains an encoding with a weight above 0.
func accepts(header http.Header, encoding string) bool {
	for part := range strings.SplitSeq(strings.Join(header.Values("Accept-Encoding"), ","), ",") {
		name, weight, weighted := strings.Cut(part, ";")
		if !strings.EqualFold(strings.TrimSpace(name), encoding) {
			continue
		}
		q, _ := strconv.ParseFloat(strings.TrimPrefix(strings.TrimSpace(weight), "q="), 64)
		return !weighted || q > 0
	}
	return false
}
