// Package data reads what few-shot classification is trained and measured on:
// sets of pictures by class, splits of their classes, and lists of episodes,
// given or drawn with a seed.
//
// A [Set] is a folder or zip archive. A picture's class is the first folder below the
// root that it lies in, or what lists beside it say: the forms in which the field's data sets
// are handed on are recognised, with their splits ([OpenSplit]). Pictures are
// decoded when they are asked for.
//
// An [Episode] names its pictures, so that one drawn here and one listed in a
// file are the same thing.
package data

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"

	"github.com/deepemd/deepemd/core/imaging"
)

// Picture is one picture of a set.
type Picture struct {
	Class string // the folder of its class, or what a list says
	Name  string // its path in the set, with slashes: "train/fox/red_fox_s_000391.webp"
}

// Set is a data set: pictures by class. Its methods may be called from several
// goroutines at a time.
type Set struct {
	name     string // of the folder or archive, for errors
	source   source
	form     string   // how it lies, for people
	split    *Split   // nil for none
	classes  []string // sorted, or as Named was given them
	pictures map[string][]Picture
	labels   map[string]string // class to words, may be nil
	index    index
	left     []string // what was passed over
	maxSide  int      // what the shorter side of a picture is scaled down to; 0 for any
	cache    memoryCache
	skips    skips
	decode   func([]byte) (*imaging.Image, error)

	unconverted sync.Map // names of pictures whose color profiles are not applied
}

// extensions are the endings of file names, in lower case, that make a picture: a
// recording is the picture of its spectrogram. Of files with others the content decides.
var extensions = []string{".webp", ".jpg", ".jpeg", ".jfif", ".jpe", ".png", ".bmp", ".gif", ".tif", ".tiff", ".mp3", ".wav"}

// labelsFile is where a set may keep the words for its classes: a JSON map.
const labelsFile = "words.json"

// Open is OpenSplit with the split that comes with the data, if one does.
func Open(name string) (*Set, error) { return OpenSplit(name, "") }

// OpenSplit opens a folder or zip archive of pictures or recordings (MP3, WAV), which
// stand for the pictures of their spectrograms. Files that are neither, by their ending or
// else by their content, are passed over (see [Set.Left]), and those that systems leave behind.
// How the pictures lie is found out:
//
//   - by lists: train.csv, val.csv and test.csv with lines "filename,label" above
//     them (miniImageNet, and any set that was split so);
//   - CUB-200-2011 by its images.txt and classes.txt, with the field's split;
//   - in folders of their classes: "class/file" or "train/class/file", where whatever
//     lies deeper belongs to the class; classes of the same name are one. If train, val
//     and test share no class, they are the split (tieredImageNet).
//
// A file split.json of the form that ParseSplit reads splits the classes, words.json
// maps them to words. split names another split: a JSON file, or the lists as a CSV
// file or a folder of them; it takes precedence. Close the set when it is no longer
// used.
//
// # Errors
//
// A path that is neither folder nor zip archive, one without a picture in a folder
// of its class, malformed lists and JSON files, listed pictures that are absent.
// Pictures are not looked into, and classes of a JSON file may be absent: see
// [Set.Require].
func OpenSplit(name, split string) (*Set, error) {
	var given *Split
	var lists *Listing
	if split != "" {
		var err error
		if given, lists, err = readAnySplit(split); err != nil {
			return nil, err
		}
	}
	src, err := openSource(name)
	if err != nil {
		return nil, err
	}
	s, err := newSet(filepath.Base(name), src, lists)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", name, err), src.close())
	}
	if given != nil {
		s.split = given
	}
	return s, nil
}

func newSet(name string, src listable, lists *Listing) (*Set, error) {
	contents, err := list(src)
	if err != nil {
		return nil, err
	}
	l, err := contents.layout(lists)
	if err != nil {
		return nil, err
	}
	return assemble(name, src, contents, l)
}

// assemble makes a set of what was found out of its files.
func assemble(name string, src source, contents *contents, l *layout) (*Set, error) {
	s := &Set{
		name: name, source: src, form: l.form, split: l.split, labels: l.labels,
		pictures: make(map[string][]Picture), decode: decode,
	}
	for _, p := range l.pictures {
		if s.pictures[p.Class] == nil {
			s.classes = append(s.classes, p.Class)
		}
		s.pictures[p.Class] = append(s.pictures[p.Class], p)
	}
	slices.Sort(s.classes)
	for _, pictures := range s.pictures {
		slices.SortFunc(pictures, func(a, b Picture) int { return strings.Compare(a.Name, b.Name) })
	}
	s.index = newIndex(s.pictures)
	s.left = contents.left
	if words := contents.words(); words != "" {
		var err error
		if s.labels, err = readLabels(src, words); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// words returns the highest file of words for the classes, empty for none.
func (c *contents) words() string {
	words := ""
	for _, file := range c.files {
		if path.Base(file) == labelsFile && (words == "" || len(file) < len(words)) {
			words = file
		}
	}
	return words
}

func isPicture(file string) bool {
	return slices.Contains(extensions, strings.ToLower(path.Ext(file)))
}

// readLabels reads the words for the classes.
func readLabels(src source, file string) (map[string]string, error) {
	raw, err := src.read(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	var labels map[string]string
	if err := json.Unmarshal(raw, &labels); err != nil {
		return nil, fmt.Errorf("%s is not a JSON map of class to words (%w): mend or remove it", file, err)
	}
	return labels, nil
}

// Close releases the archive.
func (s *Set) Close() error { return s.source.close() }

// Left lists what was passed over: folders that cannot be read, and files that are neither
// pictures nor recordings, but for lists and words.
func (s *Set) Left() []string { return s.left }

// Form says in words how the pictures lie: "folders of classes".
func (s *Set) Form() string { return s.form }

// Split returns the split of the classes: the one that was given, else the one
// that comes with the data, else nil.
func (s *Set) Split() *Split { return s.split }

// Name returns the base name of the folder or archive.
func (s *Set) Name() string { return s.name }

// Classes returns the names of the classes, sorted but for a set of [NamesOnly].
// It must not be modified.
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

// Remove removes pictures by their names, and classes without any other. Call it before or after
// all other methods.
func (s *Set) Remove(names []string) {
	removed := make(map[string]bool, len(names))
	for _, name := range names {
		removed[name] = true
	}
	for class, pictures := range s.pictures {
		pictures = slices.DeleteFunc(slices.Clone(pictures), func(p Picture) bool { return removed[p.Name] })
		if s.pictures[class] = pictures; len(pictures) == 0 {
			delete(s.pictures, class)
		}
	}
	s.classes = slices.DeleteFunc(slices.Clone(s.classes), func(class string) bool { return s.pictures[class] == nil })
	s.index = newIndex(s.pictures)
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
	remedy := "is it the data set of that split?"
	if len(s.classes) == 1 {
		remedy = "all its pictures lie in one folder, " + s.classes[0] + ": " + sortOut
	}
	return fmt.Errorf("%s: lacks %d of %d classes: %s: %s", s.name, len(absent), len(classes), few(absent), remedy)
}

// sortOut is the remedy for pictures that lie in no folder of their class.
const sortOut = "put those of each class into a folder of their own, or lists of them (train.csv, val.csv, test.csv: filename,label) beside them"

// few joins at most five names.
func few(names []string) string {
	if len(names) > 5 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:5], ", "), len(names)-5)
	}
	return strings.Join(names, ", ")
}

// Sample lists pictures of some classes, class after class and in the order of their
// names, with the numbers of their classes: so many of each, drawn with the seed; 0 for
// all.
//
// It returns an error that names a class which has fewer.
func (s *Set) Sample(classes []string, each int, seed uint64) (names []string, labels []int, err error) {
	r := rand.New(rand.NewPCG(seed, 0))
	for label, class := range classes {
		pictures := s.Pictures(class)
		chosen := make([]int, len(pictures))
		for i := range chosen {
			chosen[i] = i
		}
		if each > 0 {
			if len(pictures) < each {
				return nil, nil, fmt.Errorf("class %s has %d pictures", class, len(pictures))
			}
			chosen = r.Perm(len(pictures))[:each]
			slices.Sort(chosen)
		}
		for _, i := range chosen {
			names, labels = append(names, pictures[i].Name), append(labels, label)
		}
	}
	return names, labels, nil
}

// ClassesOf lists the classes of pictures of the set, by name, each once. Pictures that
// the set does not have are passed over.
func (s *Set) ClassesOf(names []string) []string {
	var classes []string
	for _, name := range names {
		if p, err := s.Find(name); err == nil {
			classes = append(classes, p.Class)
		}
	}
	slices.Sort(classes)
	return slices.Compact(classes)
}

// decoding is raised when the same file comes to be decoded to other pixels.
const decoding = 2

// Fingerprint stands for the pixels of pictures of the set, as hexadecimal digits:
// it is another one when a file has changed since.
//
// # Errors
//
// Those of looking at the files.
func (s *Set) Fingerprint(pictures []Picture) (string, error) {
	h := sha256.New()
	fmt.Fprintf(h, "%d %d\n", decoding, s.maxSide)
	for _, p := range pictures {
		stamp, err := s.source.stamp(p.Name)
		if err != nil {
			return "", err
		}
		_, _ = io.WriteString(h, fmt.Sprintf("%q %s\n", p.Name, stamp)) // a hash takes everything
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// Digest returns the SHA-256 of a file of the folder or archive. The error for an absent file is
// fs.ErrNotExist.
func (s *Set) Digest(name string) (d [sha256.Size]byte, err error) {
	raw, err := s.source.read(name)
	switch {
	case errors.Is(err, syscall.ENOTDIR): // a file has the name of a former folder
		return d, fs.ErrNotExist
	case err != nil:
		return d, err
	}
	return sha256.Sum256(raw), nil
}

// NamesOnly returns a set of pictures of which no more than names and classes are
// known, such as those of an array of features: episodes can be drawn of them, and
// [Set.Image] is an error. Its classes stand in the order of their first picture.
// split names a split of the classes, in the forms that [OpenSplit] reads; empty
// for none.
//
// # Errors
//
// No pictures, one without a name or a class; malformed splits.
func NamesOnly(name string, pictures []Picture, split string) (*Set, error) {
	s := &Set{name: name, source: nowhere{}, form: "names", pictures: make(map[string][]Picture)}
	if split != "" {
		given, lists, err := readAnySplit(split)
		if err != nil {
			return nil, err
		}
		if s.split = given; lists != nil {
			s.split = lists.split()
		}
	}
	if len(pictures) == 0 {
		return nil, errors.New(name + ": no pictures")
	}
	for _, p := range pictures {
		if p.Name == "" || p.Class == "" {
			return nil, errors.New(name + ": a picture without a name or a class")
		}
		if s.pictures[p.Class] == nil {
			s.classes = append(s.classes, p.Class)
		}
		s.pictures[p.Class] = append(s.pictures[p.Class], p)
	}
	for _, class := range s.pictures {
		slices.SortFunc(class, func(a, b Picture) int { return strings.Compare(a.Name, b.Name) })
	}
	s.index = newIndex(s.pictures)
	return s, nil
}

// nowhere is the source of pictures that are not at hand.
type nowhere struct{}

var errNowhere = errors.New("only the picture's name is known here")

func (nowhere) read(string) ([]byte, error)  { return nil, errNowhere }
func (nowhere) stamp(string) (string, error) { return "", errNowhere }
func (nowhere) close() error                 { return nil }
