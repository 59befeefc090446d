package server

import (
	"io/fs"
	"path"
	"slices"
)

// IsPage reports whether a file's name is that of a shared page or a project file.
func IsPage(name string) bool { return slices.Contains([]string{".html", ".deepemd"}, path.Ext(name)) }

// page returns the shared page or project file of the given path in the folder of pages,
// as it is now: people put files there while the server runs. There is no other file
// and no list of them.
func (h *handler) page(name string) (*asset, bool) {
	if !IsPage(name) || !fs.ValidPath(name) {
		return nil, false
	}
	data, err := fs.ReadFile(h.pages, name)
	if err != nil {
		return nil, false
	}
	return &asset{contentType: contentType(name), policy: sharedPolicy(h.embeddable), plain: newBody(data)}, true
}
