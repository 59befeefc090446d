package data

import (
	"slices"
	"strings"
)

// systemNames are files and folders, in lower case, that systems put beside a
// person's own without a leading dot.
var systemNames = []string{"__macosx", "thumbs.db", "ehthumbs.db", "desktop.ini", "$recycle.bin", "system volume information"}

// Hidden reports whether a file is one that a person does not see among their own and
// that nothing in the project takes for a picture: one whose name, or that of a folder
// it lies in, begins with a dot (.DS_Store, .git), or is one that macOS or Windows
// leave behind (__MACOSX, Thumbs.db, desktop.ini). path has slashes; the case of
// letters does not matter.
//
// The studio passes over the same files; web/static/web/folders.js has the rule for it.
func Hidden(path string) bool {
	for name := range strings.SplitSeq(path, "/") {
		if strings.HasPrefix(name, ".") && name != "." && name != ".." || slices.Contains(systemNames, strings.ToLower(name)) {
			return true
		}
	}
	return false
}
