package data

import (
	"fmt"
	"path"
	"strings"
)

// index finds pictures by names that may come from another copy of the set.
type index struct {
	path map[string][]Picture // by path without ending
	tail map[string][]Picture // by folder, or class, and file without ending
}

func newIndex(pictures map[string][]Picture) index {
	x := index{path: make(map[string][]Picture), tail: make(map[string][]Picture)}
	for _, class := range pictures {
		for _, p := range class {
			key := stem(p.Name)
			x.path[key] = append(x.path[key], p)
			x.tail[tail(key)] = append(x.tail[tail(key)], p)
			if listed := path.Join(p.Class, path.Base(key)); listed != tail(key) {
				x.tail[listed] = append(x.tail[listed], p)
			}
		}
	}
	return x
}

// stem is a picture's path without its ending.
func stem(name string) string {
	if isPicture(name) {
		return strings.TrimSuffix(name, path.Ext(name))
	}
	return name
}

// tail is the last two parts of a path: class and file.
func tail(name string) string {
	return path.Join(path.Base(path.Dir(name)), path.Base(name))
}

// Find returns the picture of a name, such as an episode's: its path, or the
// path with another ending (.png for .webp), or class and file where the folders
// above them differ.
//
// # Errors
//
// A name that fits no picture, or several.
func (s *Set) Find(name string) (Picture, error) {
	clean := strings.TrimPrefix(path.Clean("/"+strings.ReplaceAll(name, `\`, "/")), "/")
	found := s.index.path[stem(clean)]
	for _, p := range found {
		if p.Name == clean {
			return p, nil
		}
	}
	if len(found) == 0 {
		found = s.index.tail[tail(stem(clean))]
	}
	switch len(found) {
	case 0:
		return Picture{}, fmt.Errorf("%s: no picture %s: is it the data set that the names come from?", s.name, name)
	case 1:
		return found[0], nil
	}
	return Picture{}, fmt.Errorf("%s: %s may be %s or %s: give the whole name", s.name, name, found[0].Name, found[1].Name)
}
