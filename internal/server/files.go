package server

import (
	"mime"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"
)

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
	if t, ok := types[ext]; ok {
		return t
	}
	if t := mime.TypeByExtension(ext); t != "" {
		return t
	}
	return "application/octet-stream"
}

// IsPage reports whether a file name belongs to a shared page or a project file.
func IsPage(name string) bool { return slices.Contains([]string{".html", ".deepemd"}, path.Ext(name)) }

// accepts reports whether Accept-Encoding contains an encoding with a weight above 0.
func accepts(header http.Header, encoding string) bool {
	for part := range strings.SplitSeq(strings.Join(header.Values("Accept-Encoding"), ","), ",") {
		name, weight, weighted := strings.Cut(part, ";")
		if !strings.EqualFold(strings.TrimSpace(name), encoding) {
			continue
		}
		q, err := strconv.ParseFloat(strings.TrimPrefix(strings.TrimSpace(weight), "q="), 64)
		return !weighted || err == nil && q > 0
	}
	return false
}
