package data

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/deepemd/deepemd/internal/namedfile"
)

// Split assigns the classes of a dataset to training, to choosing between models, and to the final
// measurement. No class is in two parts.
type Split struct {
	Train []string `json:"train"`
	Val   []string `json:"val"`
	Test  []string `json:"test"`

	name string // of the file, for errors
}

var parts = []string{"train", "val", "test"}

// part returns the classes of one of the parts.
func (s *Split) part(name string) *[]string {
	switch name {
	case "train":
		return &s.Train
	case "val":
		return &s.Val
	}
	return &s.Test
}

// sort sorts the classes of each part and removes duplicates.
func (s *Split) sort() {
	for _, part := range parts {
		classes := s.part(part)
		slices.Sort(*classes)
		*classes = slices.Compact(*classes)
	}
}

// named changes the names of classes that a set lacks to their composed form, which folders have.
func (s *Split) named(has func(class string) bool) {
	for _, part := range parts {
		for i, class := range *s.part(part) {
			if !has(class) {
				(*s.part(part))[i] = norm.NFC.String(class)
			}
		}
	}
}

// Name returns the name of the split's file.
func (s *Split) Name() string { return s.name }

// String states the number of classes of each part and the name of the file.
func (s *Split) String() string {
	return fmt.Sprintf("%d train, %d val and %d test classes (%s)", len(s.Train), len(s.Val), len(s.Test), s.name)
}

// readSplit reads a split of classes, a JSON file, or of images, a CSV file or a folder of CSV files. There is
// none without a name.
func readSplit(name string) (*Split, *listing, error) {
	if name == "" {
		return nil, nil, nil
	}
	if info, err := os.Stat(name); err == nil && info.IsDir() || slices.Contains([]string{".csv", ".tsv"}, strings.ToLower(filepath.Ext(name))) {
		l, err := readListing(name)
		return nil, l, err
	}
	raw, err := namedfile.Read(name, namedfile.MaxText)
	if err != nil {
		return nil, nil, err
	}
	s, err := parseSplit(filepath.Base(name), raw)
	return s, nil, err
}

// parseSplit reads a split in JSON: see [OpenSplit]. It returns an error that begins with name for
// other JSON, for no class at all, and for a class that is named twice.
func parseSplit(name string, raw []byte) (*Split, error) {
	s := &Split{name: name}
	dec := json.NewDecoder(bytes.NewReader(namedfile.WithoutMark(raw)))
	dec.DisallowUnknownFields()
	if err := dec.Decode(s); err != nil {
		return nil, fmt.Errorf(`%s: not a split, {"train": [class…], "val": […], "test": […]} or CSV files of "filename,label": %w`, name, err)
	}
	if dec.More() {
		return nil, fmt.Errorf("%s: more text after the split", name)
	}
	seen := make(map[string]string)
	for _, part := range parts {
		for _, class := range *s.part(part) {
			if class == "" {
				return nil, fmt.Errorf("%s: a class of %s has no name", name, part)
			}
			if other, twice := seen[class]; twice {
				return nil, fmt.Errorf("%s: class %.40q is in %s and in %s: list a class once", name, class, other, part)
			}
			seen[class] = part
		}
	}
	if len(seen) == 0 {
		return nil, fmt.Errorf("%s: no classes in train, val or test", name)
	}
	return s, nil
}

// Subset returns the classes of "train", "val" or "test". It returns an error for other names and
// for a part without classes.
func (s *Split) Subset(name string) ([]string, error) {
	if slices.Contains(parts, name) {
		if classes := *s.part(name); len(classes) > 0 {
			return classes, nil
		}
		return nil, fmt.Errorf("%s: no classes in %s", s.name, name)
	}
	return nil, fmt.Errorf("%s: no part %.40q: want train, val or test", s.name, name)
}
