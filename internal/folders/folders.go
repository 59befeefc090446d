// Package folders sorts files in folders into classes, by one rule for every command and for the
// studio.
package folders

import (
	"maps"
	"path"
	"slices"
	"strings"
)

// systemNames are files and folders, in lower case, that systems and file servers put beside
// a person's own without a leading dot.
var systemNames = []string{
	"__macosx", "thumbs.db", "ehthumbs.db", "desktop.ini", "$recycle.bin", "system volume information",
	"@eadir", "#recycle", "lost+found",
}

// Hidden reports whether a file is one that a person does not see among their own and
// that nothing in the project takes for an example: one whose name, or that of a folder
// it lies in, begins with a dot (.DS_Store, .git, .Trash-1000), or is one that systems leave
// behind (__MACOSX, Thumbs.db, @eaDir). The path has slashes; the case of letters does not
// matter.
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

// parts are the parts of a split, and the names that the field has for each.
var parts = []struct {
	name string
	also []string
}{
	{"train", []string{"train", "meta-train", "base"}},
	{"val", []string{"val", "valid", "validation", "meta-val"}},
	{"test", []string{"test", "meta-test", "novel"}},
}

// Part returns the part of a split that a name stands for, "train", "val" or "test"; empty
// for none.
func Part(name string) string {
	name = strings.ReplaceAll(strings.ToLower(name), "_", "-")
	for _, p := range parts {
		if slices.Contains(p.also, name) {
			return p.name
		}
	}
	return ""
}

// Place is where an example lies: in the folder of its class, below that of a part of a split
// if there is one.
type Place struct {
	Part  string // "train", "val" or "test", else ""
	Class string // "" in no folder
}

// Places returns the places of examples by their paths, which have slashes. The class is the
// first folder below the root, or below train, val and test; whatever lies deeper belongs to
// it. The root is the lowest folder that holds all the folders of classes. A folder called train
// alone, beside others, is a class, and so is one that holds examples itself.
func Places(paths []string) []Place {
	if len(paths) == 0 {
		return nil
	}
	clean := make([]string, len(paths))
	for i, p := range paths {
		clean[i] = strings.TrimPrefix(path.Clean("/"+p), "/")
	}
	paths = clean
	root := common(paths)
	if root != "." && slices.ContainsFunc(paths, func(p string) bool { return path.Dir(p) == root }) {
		root = path.Dir(root) // one class alone
	}
	folders := make([][]string, len(paths))
	parts := map[string]bool{} // of a split, by the folder; false for one that holds examples
	for i, p := range paths {
		if root != "." {
			p = p[len(root)+1:]
		}
		names := strings.Split(p, "/")
		folders[i] = names[:len(names)-1]
		if len(names) > 1 && Part(names[0]) != "" {
			deeper, seen := parts[names[0]]
			parts[names[0]] = len(names) > 2 && (deeper || !seen)
		}
	}
	maps.DeleteFunc(parts, func(_ string, deeper bool) bool { return !deeper })
	places := make([]Place, len(paths))
	for i, names := range folders {
		if len(names) > 1 && len(parts) > 1 && parts[names[0]] {
			places[i].Part, names = Part(names[0]), names[1:]
		}
		if len(names) > 0 {
			places[i].Class = names[0]
		}
	}
	return places
}

// common is the folder that all files lie in or below, "." for none.
func common(files []string) string {
	folder := path.Dir(files[0])
	for _, file := range files[1:] {
		for folder != "." && !strings.HasPrefix(file, folder+"/") {
			folder = path.Dir(folder)
		}
	}
	return folder
}
