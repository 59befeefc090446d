package server

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

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
