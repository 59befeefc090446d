package server

import (
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"path"
	"slices"
)

// IsPage reports whether a file's name is that of a shared page or a project file.
func IsPage(name string) bool { return slices.Contains([]string{".html", ".deepemd"}, path.Ext(name)) }

// page answers with the shared page or project file of the given path in the folder of
// pages, read at the time of the request: people put files there while the server runs.
// Other files and a list of them do not exist; for those it answers nothing and returns
// false. A file is read while it is sent: however many take a large one slowly, they share no more memory
// than a buffer each.
func (h *handler) page(w http.ResponseWriter, r *http.Request, name string) bool {
	if !IsPage(name) || !fs.ValidPath(name) {
		return false
	}
	// A look at it first: to open a pipe would wait for its other end.
	if info, err := fs.Stat(h.pages, name); err != nil || !info.Mode().IsRegular() {
		return false
	}
	file, err := h.pages.Open(name)
	if err != nil {
		return false
	}
	defer file.Close()
	info, err := file.Stat()
	content, seeks := file.(io.ReadSeeker)
	if err != nil || !seeks {
		return false
	}
	header := w.Header()
	header.Set("Content-Type", contentType(name))
	header.Set("Content-Security-Policy", sharedPolicy(h.embeddable))
	header.Set("Cache-Control", "no-cache")
	header.Set("ETag", fmt.Sprintf(`"%x-%x"`, info.Size(), info.ModTime().UnixNano()))
	http.ServeContent(w, r, name, info.ModTime(), content)
	return true
}
