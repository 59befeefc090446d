package server

import (
	"net/http"
	"strings"
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
