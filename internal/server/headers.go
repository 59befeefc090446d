package server

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// PagesFolder is the path of shared pages and project files in the site.
const PagesFolder = "pages/"

// sharedFolders contain the files that other origins may use if the site is embeddable.
var sharedFolders = []string{PagesFolder, "deepemd/", "weights/"}

// Embeddable reports whether the file at a path of the site, without the leading slash, is intended for
// other origins: shared pages, project files, the package and models.
func Embeddable(name string) bool {
	return slices.ContainsFunc(sharedFolders, func(folder string) bool { return strings.HasPrefix(name, folder) })
}

// Headers returns the headers that other servers must send with the file at a path of the site,
// without the leading slash. pages are the site's HTML pages.
func Headers(name string, embeddable bool, pages ...[]byte) http.Header {
	header := http.Header{}
	secure(header)
	header.Set("Content-Security-Policy", pagePolicy(pages...))
	if strings.HasPrefix(name, PagesFolder) {
		header.Set("Content-Security-Policy", sharedPolicy(embeddable))
	}
	if embeddable && Embeddable(name) {
		allowOrigins(header)
	}
	return header
}

func secure(header http.Header) {
	header.Set("Content-Security-Policy", policy)
	header.Set("Cross-Origin-Opener-Policy", "same-origin")
	header.Set("Cross-Origin-Embedder-Policy", "require-corp")
	header.Set("Cross-Origin-Resource-Policy", "same-origin")
	header.Set("Permissions-Policy", "camera=(self), microphone=(self), geolocation=()")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("X-Content-Type-Options", "nosniff")
}

// allowOrigins sets the headers that permit pages of any origin to fetch an answer and read its length.
func allowOrigins(header http.Header) {
	header.Set("Access-Control-Allow-Origin", "*")
	header.Set("Access-Control-Expose-Headers", "Content-Encoding, Content-Length, X-Uncompressed-Length")
	header.Set("Cross-Origin-Resource-Policy", "cross-origin")
}

// sharedPolicy returns the Content-Security-Policy of a shared page, with the origins that may
// frame it. Without frame-ancestors, all may, including local files.
func sharedPolicy(embeddable bool) string {
	if embeddable {
		return PlayerPolicy
	}
	return PlayerPolicy + "; " + ownFrames
}

// policy is the Content-Security-Policy of every answer: it blocks requests to other origins, frames
// in other origins' pages, and scripts made from text, but neither navigation nor WebRTC. WebAssembly
// must be compiled, and images are shown from memory.
const policy = "default-src 'none'; " +
	"script-src 'self' 'wasm-unsafe-eval'; " +
	"worker-src 'self'; " +
	"style-src 'self'; " +
	"img-src 'self' blob: data:; " +
	"media-src 'self' blob:; " +
	"connect-src 'self'; " +
	"manifest-src 'self'; " +
	"base-uri 'none'; form-action 'none'; " + ownFrames

// ownFrames permits only pages of the same origin to frame an answer.
const ownFrames = "frame-ancestors 'self'"

// PlayerPolicy is the Content-Security-Policy that a shared page sets itself: it blocks
// requests to every server, but neither navigation nor WebRTC.
const PlayerPolicy = "default-src 'none'; " +
	"script-src 'unsafe-inline' 'wasm-unsafe-eval' blob:; " +
	"worker-src blob:; " +
	"style-src 'unsafe-inline'; " +
	"img-src blob: data:; " +
	"media-src blob: mediastream:; " +
	"connect-src 'none'; " +
	"base-uri 'none'; form-action 'none'"

// pagePolicy returns policy with the digests of the scripts and style sheets inside the pages.
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
				digest := " 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
				if !strings.Contains(allowed, digest) { // hosts limit the length
					allowed += digest
				}
			}
		}
		p = strings.Replace(p, inline.directive, allowed, 1)
	}
	return p
}

// contents returns the content of every non-empty element of the given name, a script or style
// sheet, in the form of which browsers compute the digest: UTF-8 with newline line ends and U+FFFD
// for invalid bytes. A page may contain any bytes. Elements inside SVG are read as HTML, so those
// with entities stay forbidden.
func contents(page []byte, element string) [][]byte {
	var all [][]byte
	var content []byte
	open := false
	tokens := html.NewTokenizer(transform.NewReader(bytes.NewReader(page), unicode.BOMOverride(unicode.UTF8.NewDecoder())))
	for {
		switch tokens.Next() {
		case html.ErrorToken:
			return all
		case html.StartTagToken, html.SelfClosingTagToken: // HTML has no self-closing scripts
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
