package data

import (
	"errors"
	"fmt"
	"path/filepath"
)

// OpenUnclassified is OpenSplit for pictures that need no classes, such as those that
// are to be searched: all that a folder or zip archive holds are in the set. Those whose
// class is not known, as they lie in no folder, or outside of the data set that the
// others are, have the class "".
//
// # Errors
//
// A path that is neither folder nor zip archive, one without a picture.
func OpenUnclassified(name string) (*Set, error) {
	src, err := openSource(name)
	if err != nil {
		return nil, err
	}
	s, err := unclassifiedSet(filepath.Base(name), src)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", name, err), src.close())
	}
	return s, nil
}

func unclassifiedSet(name string, src source) (*Set, error) {
	contents, err := list(src)
	if err != nil {
		return nil, err
	}
	l, err := contents.layout(nil)
	if err != nil {
		l = new(layout) // lists that are no lists of a data set do no harm here
	}
	known := make(map[string]bool, len(l.pictures))
	for _, p := range l.pictures {
		known[p.Name] = true
	}
	for _, file := range contents.pictures {
		if !known[file] {
			l.pictures = append(l.pictures, Picture{Name: file})
		}
	}
	l.form = "pictures"
	return assemble(name, src, contents, l)
}
