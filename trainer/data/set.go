package data

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"deepemd/core/imaging"
)

// Picture is one picture of a set.
type Picture struct {
	Class string // the folder that it lies in
	Name  string // its path in the set, with slashes: "train/fox/red_fox_s_000391.webp"
}

// Set is a data set: pictures by class. Its methods may be called from several
// goroutines at a time.
type Set struct {
	name     string // of the folder or archive, for errors
	source   source
	classes  []string // sorted
	pictures map[string][]Picture
	labels   map[string]string // class to words, may be nil
	index    index
	cache    cache
	decode   func([]byte) (*imaging.Image, error)
}

// extensions are the endings of file names, in lower case, that make a picture.
var extensions = []string{".webp", ".jpg", ".jpeg", ".png"}

// labelsFile is where a set may keep the words for its classes: a JSON map.
const labelsFile = "words.json"

// Open reads the contents of a folder or zip archive of pictures by class:
// "class/file" or, with folders above, "train/class/file"; classes of the same
// name are one. Files that are no pictures by their ending, hidden files and
// those of macOS' archiver are passed over. A file words.json may map classes
// to words. Close the set when it is no longer used.
//
// # Errors
//
// A path that is neither folder nor zip archive, one without a picture in a
// folder of its class, a malformed words.json. Pictures are not looked into.
func Open(name string) (*Set, error) {
	src, err := openSource(name)
	if err != nil {
		return nil, err
	}
	s, err := newSet(filepath.Base(name), src)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", name, err), src.close())
	}
	return s, nil
}

func newSet(name string, src source) (*Set, error) {
	files, err := src.list()
	if err != nil {
		return nil, err
	}
	slices.Sort(files)
	s := &Set{name: name, source: src, pictures: make(map[string][]Picture), decode: imaging.Decode}
	words := ""
	loose := 0 // pictures outside of any folder
	for _, file := range files {
		if hidden(file) {
			continue
		}
		if path.Base(file) == labelsFile && (words == "" || len(file) < len(words)) {
			words = file
		}
		if !isPicture(file) {
			continue
		}
		folder := path.Dir(file)
		if folder == "." {
			loose++
			continue
		}
		class := path.Base(folder)
		if s.pictures[class] == nil {
			s.classes = append(s.classes, class)
		}
		s.pictures[class] = append(s.pictures[class], Picture{Class: class, Name: file})
	}
	if len(s.classes) == 0 {
		if loose > 0 {
			return nil, fmt.Errorf("%d pictures, but in no folder: put those of each class into a folder of their own", loose)
		}
		return nil, fmt.Errorf("no pictures (%s): want a folder of them for each class", strings.Join(extensions, ", "))
	}
	slices.Sort(s.classes)
	s.index = newIndex(s.pictures)
	if words != "" {
		if s.labels, err = readLabels(src, words); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// hidden reports whether a file is one that systems leave behind.
func hidden(file string) bool {
	for part := range strings.SplitSeq(file, "/") {
		if strings.HasPrefix(part, ".") || part == "__MACOSX" {
			return true
		}
	}
	return false
}

func isPicture(file string) bool {
	return slices.Contains(extensions, strings.ToLower(path.Ext(file)))
}

// readLabels reads the words for the classes.
func readLabels(src source, file string) (map[string]string, error) {
	raw, err := src.read(file)
	if err != nil {
		return nil, err
	}
	var labels map[string]string
	if err := json.Unmarshal(raw, &labels); err != nil {
		return nil, fmt.Errorf("%s is not a JSON map of class to words (%w): mend or remove it", file, err)
	}
	return labels, nil
}

// Close releases the archive.
func (s *Set) Close() error { return s.source.close() }

// Name returns the base name of the folder or archive.
func (s *Set) Name() string { return s.name }

// Classes returns the names of the classes, sorted. It must not be modified.
func (s *Set) Classes() []string { return s.classes }

// Pictures returns the pictures of a class, sorted by name; none for an unknown
// class. It must not be modified.
func (s *Set) Pictures(class string) []Picture { return s.pictures[class] }

// Label returns the words for a class, "goldfish, Carassius auratus" for
// "n01443537", or the class itself where there are none.
func (s *Set) Label(class string) string {
	if words := s.labels[class]; words != "" {
		return words
	}
	return class
}

// Require returns an error that names the classes which the set does not have.
func (s *Set) Require(classes []string) error {
	var absent []string
	for _, class := range classes {
		if s.pictures[class] == nil {
			absent = append(absent, class)
		}
	}
	if len(absent) == 0 {
		return nil
	}
	return fmt.Errorf("%s: lacks %d of %d classes: %s: is it the data set of that split?", s.name, len(absent), len(classes), few(absent))
}

// Image returns the decoded picture of a name as [Set.Find] understands it. The
// picture must not be modified: it may be kept for the next caller.
//
// # Errors
//
// Those of Find; a file that cannot be read or decoded, by its name.
func (s *Set) Image(name string) (*imaging.Image, error) {
	p, err := s.Find(name)
	if err != nil {
		return nil, err
	}
	if img := s.cache.get(p.Name); img != nil {
		return img, nil
	}
	raw, err := s.source.read(p.Name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.name, err)
	}
	img, err := s.decode(raw)
	if err != nil {
		return nil, fmt.Errorf("%s: %s: %w", s.name, p.Name, err)
	}
	s.cache.put(p.Name, img)
	return img, nil
}

// KeepDecoded makes the set keep the pictures that it decodes, the first ones up
// to limit bytes of pixels together. It keeps none until then.
func (s *Set) KeepDecoded(limit int64) { s.cache.allow(limit) }

// few joins at most five names.
func few(names []string) string {
	if len(names) > 5 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:5], ", "), len(names)-5)
	}
	return strings.Join(names, ", ")
}

// readFile reads a file that a person named, with an error that says what to do.
func readFile(name string) ([]byte, error) {
	raw, err := os.ReadFile(name)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("%w: is the path right?", err)
	}
	return raw, err
}
