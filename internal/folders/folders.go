// Package folders assigns files in folders to classes. Every command and the studio use the same rule.
package folders

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode/utf8"
)

// systemNames are files and folders, in lower case, that operating systems and file servers create
// under names without a leading dot.
var systemNames = []string{
	"__macosx", "thumbs.db", "ehthumbs.db", "desktop.ini", "$recycle.bin", "system volume information",
	"@eadir", "#recycle", "lost+found",
}

// Hidden reports whether users normally do not see a file, so that it is not an example. The name
// of the file or of a parent folder starts with a dot (.DS_Store, .git, .Trash-1000) or is a system
// name (__MACOSX, Thumbs.db, @eaDir), in any case. The path uses slashes.
//
// The studio skips the same files: see web/static/web/folders.js.
func Hidden(path string) bool {
	for name := range strings.SplitSeq(path, "/") {
		if strings.HasPrefix(name, ".") && name != "." && name != ".." || slices.Contains(systemNames, strings.ToLower(name)) {
			return true
		}
	}
	return false
}

// Text returns a file name as text. Disks may hold names that are not UTF-8; their invalid bytes
// become \x escapes, so that different names stay different in JSON, projects and tables.
func Text(name string) string {
	if utf8.ValidString(name) {
		return name
	}
	var text strings.Builder
	for len(name) > 0 {
		r, size := utf8.DecodeRuneInString(name)
		if r == utf8.RuneError && size == 1 {
			fmt.Fprintf(&text, `\x%02x`, name[0])
		} else {
			text.WriteString(name[:size])
		}
		name = name[size:]
	}
	return text.String()
}

// parts are the parts of a split with their usual names.
var parts = []struct {
	name string
	also []string
}{
	{"train", []string{"train", "meta-train", "base"}},
	{"val", []string{"val", "valid", "validation", "meta-val"}},
	{"test", []string{"test", "meta-test", "novel"}},
}

// Part returns the part of a split that a name means, "train", "val" or "test", or "" for any other
// name.
func Part(name string) string {
	name = strings.ReplaceAll(strings.ToLower(name), "_", "-")
	for _, p := range parts {
		if slices.Contains(p.also, name) {
			return p.name
		}
	}
	return ""
}

// Position is the class of an example and its part of a split.
type Position struct {
	Part  string // "train", "val", "test" or ""
	Class string // "" for a file outside of all folders
}

// Places returns the place of each example. Paths use slashes. The class is the first folder below
// the root, or below train, val and test; deeper files belong to the same class. The root is the
// lowest folder that contains all class folders. One train folder among other folders is a class. So
// is a folder that contains examples directly and at most one subfolder. With two or more subfolders,
// its own examples have no class.
func Places(paths []string) []Position {
	if len(paths) == 0 {
		return nil
	}
	clean := make([]string, len(paths))
	for i, p := range paths {
		clean[i] = strings.TrimPrefix(path.Clean("/"+p), "/")
	}
	paths = clean
	root := Common(paths)
	if root != "." && isClass(paths, root) {
		root = path.Dir(root) // one class alone
	}
	folders := make([][]string, len(paths))
	parts := map[string]bool{}
	for i, p := range paths {
		if root != "." {
			p = p[len(root)+1:]
		}
		names := strings.Split(p, "/")
		folders[i] = names[:len(names)-1]
		if len(names) > 1 && Part(names[0]) != "" {
			parts[names[0]] = true
		}
	}
	maps.DeleteFunc(parts, func(name string, _ bool) bool { return isClass(paths, path.Join(root, name)) })
	places := make([]Position, len(paths))
	for i, names := range folders {
		if len(names) > 0 && len(parts) > 1 && parts[names[0]] {
			places[i].Part, names = Part(names[0]), names[1:]
		}
		if len(names) > 0 {
			places[i].Class = names[0]
		}
	}
	return places
}

// isClass reports whether a folder contains files directly and at most one subfolder.
func isClass(files []string, folder string) bool {
	direct, subfolders := false, map[string]bool{}
	for _, file := range files {
		file, inside := strings.CutPrefix(file, folder+"/")
		if name, _, deeper := strings.Cut(file, "/"); inside && deeper {
			subfolders[name] = true
		} else if inside {
			direct = true
		}
	}
	return direct && len(subfolders) < 2
}

// Common returns the lowest folder that contains all files, which are at least one, or ".".
func Common(files []string) string {
	folder := path.Dir(files[0])
	for _, file := range files[1:] {
		for folder != "." && !strings.HasPrefix(file, folder+"/") {
			folder = path.Dir(folder)
		}
	}
	return folder
}
