package server

import (
	"fmt"
	"io/fs"
	"net/http"
	"strconv"
	"strings"
)

// An Option changes what New serves, and to whom.
type Option func(*handler)

// WithPages serves the shared pages (.html) and project files (.deepemd) of a folder
// below /pages/, as they are at the time of each request. The folder's files are to be
// io.Seekers, as those of the os package are.
func WithPages(pages fs.FS) Option { return func(h *handler) { h.pages = pages } }

// Embeddable lets pages of any origin use what is made for that: they may show shared
// pages in frames, and fetch project files, the package and the networks. The studio
// and everything else stay with their own origin.
func Embeddable() Option { return func(h *handler) { h.embeddable = true } }

// New returns a handler that serves the built site in the given folder: the
// precompressed copy of a file where the browser takes it, correct MIME types,
// an ETag for every body, and headers that keep the page to its own origin, but for
// what options permit.
//
// # Errors
//
// It returns an error that wraps ErrSite if the folder holds no index.html, and one that
// names the file which cannot be read, or with which the site has more than 2 GiB.
func New(site fs.FS, options ...Option) (http.Handler, error) {
	assets, err := load(site, largestSite)
	if err != nil {
		return nil, err
	}
	h := &handler{assets: assets}
	for _, option := range options {
		option(h)
	}
	return h, nil
}

type handler struct {
	assets     map[string]*asset // by URL path without the leading slash
	pages      fs.FS             // of shared pages and projects; nil for none
	embeddable bool
}

// ServeHTTP answers GET and HEAD.
func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	secure(header)
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		header.Set("Allow", "GET, HEAD")
		http.Error(w, "this server only gives out files", http.StatusMethodNotAllowed)
		return
	}
	name := strings.TrimPrefix(r.URL.Path, "/")
	if h.embeddable && Shared(name) {
		share(header)
	}
	a, ok := h.assets[name]
	if base, page := strings.CutPrefix(name, PagesFolder); page && h.pages != nil {
		if h.page(w, r, base) {
			return
		}
		ok = false
	}
	if !ok {
		if _, folder := h.assets[name+"/"]; folder {
			// Keep to a relative address: it also holds behind a proxy.
			header.Set("Location", name[strings.LastIndexByte(name, '/')+1:]+"/")
			w.WriteHeader(http.StatusMovedPermanently)
			return
		}
		http.Error(w, fmt.Sprintf("there is no %s on this server", r.URL.Path), http.StatusNotFound)
		return
	}
	a.serve(w, r)
}

// serve answers with the smallest body that the browser takes. Files keep their
// names from one build to the next, so browsers are told to ask whether their
// copy is current; the answer is then 304 and empty.
func (a *asset) serve(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("Content-Type", a.contentType)
	header.Set("Content-Security-Policy", a.policy)
	header.Set("Cache-Control", "no-cache")
	b := a.plain
	if len(a.encoded) > 0 {
		header.Set("Vary", "Accept-Encoding")
	}
	switch name, ok := negotiate(strings.Join(r.Header.Values("Accept-Encoding"), ","), a.encoded); {
	case !ok:
		http.Error(w, "this file comes in no encoding that Accept-Encoding permits: let it permit identity", http.StatusNotAcceptable)
		return
	case name != "":
		b = a.encoded[name]
		header.Set("Content-Encoding", name)
		// What a progress bar counts: Content-Length is the compressed size.
		header.Set("X-Uncompressed-Length", strconv.Itoa(len(a.plain.data)))
	}
	header.Set("ETag", b.etag)
	if matches(r.Header.Get("If-None-Match"), b.etag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	header.Set("Content-Length", strconv.Itoa(len(b.data)))
	if r.Method == http.MethodHead {
		return
	}
	// A failed write means that the browser has gone; there is nobody to tell.
	_, _ = w.Write(b.data)
}

// matches reports whether an If-None-Match header names the tag.
func matches(header, etag string) bool {
	for candidate := range strings.SplitSeq(header, ",") {
		candidate = strings.TrimSpace(candidate)
		if candidate == "*" || strings.TrimPrefix(candidate, "W/") == etag {
			return true
		}
	}
	return false
}
