package server

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// PagesFolder is where shared pages and project files are served, from the top of the
// site.
const PagesFolder = "pages/"

// sharedFolders hold what pages of other origins may use, where anything may be.
var sharedFolders = []string{PagesFolder, "deepemd/", "weights/"}

// Shared reports whether a file of the site, by its path without the leading slash, is
// made for pages of other origins: shared pages, project files, the package, networks.
func Shared(name string) bool {
	for _, folder := range sharedFolders {
		if strings.HasPrefix(name, folder) {
			return true
		}
	}
	return false
}

// Headers are those that an answer with the named file of the site should have, by its
// path without the leading slash, where the site has the given pages: for servers other
// than this one.
func Headers(name string, embeddable bool, pages ...[]byte) http.Header {
	header := http.Header{}
	secure(header)
	header.Set("Content-Security-Policy", pagePolicy(pages...))
	if strings.HasPrefix(name, PagesFolder) {
		header.Set("Content-Security-Policy", sharedPolicy(embeddable))
	}
	if embeddable && Shared(name) {
		share(header)
	}
	return header
}

// secure sets the headers that every answer has.
func secure(header http.Header) {
	header.Set("Content-Security-Policy", policy)
	header.Set("Cross-Origin-Opener-Policy", "same-origin")
	header.Set("Cross-Origin-Embedder-Policy", "require-corp")
	header.Set("Cross-Origin-Resource-Policy", "same-origin")
	header.Set("Permissions-Policy", "camera=(self), microphone=(self), geolocation=()")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("X-Content-Type-Options", "nosniff")
}

// share sets the headers by which pages of any origin may fetch an answer and read how
// long it is.
func share(header http.Header) {
	header.Set("Access-Control-Allow-Origin", "*")
	header.Set("Access-Control-Expose-Headers", "Content-Encoding, Content-Length, X-Uncompressed-Length")
	header.Set("Cross-Origin-Resource-Policy", "cross-origin")
}

// sharedPolicy is the Content-Security-Policy of a shared page: its own, and who may
// show it in a frame. Without frame-ancestors that is everybody, pages from a disk too.
func sharedPolicy(embeddable bool) string {
	if embeddable {
		return PlayerPolicy
	}
	return PlayerPolicy + "; " + ownFrames
}

// policy is the Content-Security-Policy of every answer: nothing is fetched
// from, sent to or shown in another origin, and no text becomes a script.
// WebAssembly has to be compiled, and pictures are shown from memory.
const policy = "default-src 'none'; " +
	"script-src 'self' 'wasm-unsafe-eval'; " +
	"worker-src 'self'; " +
	"style-src 'self'; " +
	"img-src 'self' blob: data:; " +
	"media-src 'self' blob:; " +
	"connect-src 'self'; " +
	"manifest-src 'self'; " +
	"base-uri 'none'; form-action 'none'; " + ownFrames

// ownFrames has nobody but pages of the same origin show an answer in a frame.
const ownFrames = "frame-ancestors 'self'"

// PlayerPolicy is the Content-Security-Policy that a shared page sets itself: it fetches
// nothing and sends nothing, wherever it lies.
const PlayerPolicy = "default-src 'none'; " +
	"script-src 'unsafe-inline' 'wasm-unsafe-eval' blob:; " +
	"worker-src blob:; " +
	"style-src 'unsafe-inline'; " +
	"img-src blob: data:; " +
	"media-src blob: mediastream:; " +
	"connect-src 'none'; " +
	"base-uri 'none'; form-action 'none'"

// pagePolicy is policy with leave for exactly the scripts and style sheets that
// are written inside the pages, named by their digests.
func pagePolicy(pages ...[]byte) string {
	p := policy
	for _, inline := range []struct{ element, directive string }{
		{"script", "script-src 'self'"},
		{"style", "style-src 'self'"},
	} {
		allowed := inline.directive
		for _, page := range pages {
			for _, content := range contents(page, inline.element) {
				sum := sha256.Sum256(content)
				allowed += " 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
			}
		}
		p = strings.Replace(p, inline.directive, allowed, 1)
	}
	return p
}

// contents returns what stands between the tags of every non-empty element of the given
// name, a script or a style sheet, as browsers see it and take its digest: as UTF-8 with
// newlines alone at the ends of lines, and with U+FFFD for what is no character. A page
// may hold any bytes. Elements inside an SVG drawing are read as those of HTML are, so
// one with entities stays forbidden.
func contents(page []byte, element string) [][]byte {
	var all [][]byte
	var content []byte // of the element that is open
	open := false
	tokens := html.NewTokenizer(transform.NewReader(bytes.NewReader(page), unicode.BOMOverride(unicode.UTF8.NewDecoder())))
	for {
		switch tokens.Next() {
		case html.ErrorToken:
			return all
		case html.StartTagToken, html.SelfClosingTagToken: // HTML knows no script that closes itself
			name, _ := tokens.TagName()
			open, content = string(name) == element, nil
		case html.TextToken:
			content = bytes.Clone(tokens.Text())
		case html.EndTagToken:
			if open && len(content) > 0 {
				all = append(all, content)
			}
			open = false
		}
	}
}
