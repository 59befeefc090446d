package data

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
)

// Split parts the classes of a data set into those for training, for choosing
// between models, and for the final measurement. No class is in two of them.
type Split struct {
	Train []string `json:"train"`
	Val   []string `json:"val"`
	Test  []string `json:"test"`

	name string // of the file, for errors
}

// ReadSplit reads a split from a JSON file; see ParseSplit.
func ReadSplit(path string) (*Split, error) {
	raw, err := readFile(path)
	if err != nil {
		return nil, err
	}
	return ParseSplit(filepath.Base(path), raw)
}

// ParseSplit reads a split of the form
//
//	{"train": ["fox", …], "val": […], "test": […]}
//
// in which parts may be absent. The name opens every error.
//
// # Errors
//
// Other JSON, no class at all, a class that is named twice.
func ParseSplit(name string, raw []byte) (*Split, error) {
	s := &Split{name: name}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	if err := dec.Decode(s); err != nil {
		return nil, fmt.Errorf(`%s: not a split, {"train": [class…], "val": […], "test": […]}: %w`, name, err)
	}
	if dec.More() {
		return nil, fmt.Errorf("%s: more text after the split", name)
	}
	seen := make(map[string]string)
	for _, subset := range subsets {
		for _, class := range subset.classes(s) {
			if class == "" {
				return nil, fmt.Errorf("%s: a class of %s has no name", name, subset.name)
			}
			if other, twice := seen[class]; twice {
				return nil, fmt.Errorf("%s: class %.40q is in %s and in %s: each belongs to one, once", name, class, other, subset.name)
			}
			seen[class] = subset.name
		}
	}
	if len(seen) == 0 {
		return nil, fmt.Errorf("%s: no classes in train, val or test", name)
	}
	return s, nil
}

// subsets are the parts of a split by name.
var subsets = []struct {
	name    string
	classes func(*Split) []string
}{
	{"train", func(s *Split) []string { return s.Train }},
	{"val", func(s *Split) []string { return s.Val }},
	{"test", func(s *Split) []string { return s.Test }},
}

// Subset returns the classes of "train", "val" or "test".
//
// # Errors
//
// Another name, or a part without classes.
func (s *Split) Subset(name string) ([]string, error) {
	for _, subset := range subsets {
		if subset.name != name {
			continue
		}
		if classes := subset.classes(s); len(classes) > 0 {
			return classes, nil
		}
		return nil, fmt.Errorf("%s: no classes in %s", s.name, name)
	}
	return nil, fmt.Errorf("%s: no part %.40q: want train, val or test", s.name, name)
}
