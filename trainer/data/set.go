// Package data reads the data of few-shot training and evaluation: images by class, splits of the
// classes, and episodes, which are listed in a file or drawn with a seed.
//
// A [Set] is a folder or zip archive. The class of an image is its first folder below the root, or
// is stated in a list. [OpenSplit] recognizes the forms in which the field's datasets are
// distributed, with their splits. Images are decoded on demand.
//
// An [Episode] names its images, so that drawn and listed episodes are the same thing.
package data

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"

	"golang.org/x/text/unicode/norm"

	"github.com/deepemd/deepemd/internal/plural"
)

// Picture is one image of a set.
type Picture struct {
	Class string // its folder, or the class in a list
	Name  string // its path in the set, with slashes: "train/fox/red_fox_s_000391.webp"
}

// Set is a dataset: images by class. It is safe for concurrent use.
type Set struct {
	name     string // of the folder or archive, for errors
	source   source
	form     string   // for messages
	split    *Split   // optional
	classes  []string // sorted, except for NamesOnly
	pictures map[string][]Picture
	labels   map[string]string // class to words; may be nil
	index    index
	left     []Left // skipped files
	maxSide  int    // limit of the shorter side; 0 means no limit
	cache    memoryCache
	skips    skips
	suits    func(raw []byte) error // optional, see Restrict

	unconverted sync.Map // names of pictures whose color profiles are not applied
}

// extensions are the lower-case extensions of images and recordings, which are used as
// spectrograms. Files with other extensions are recognized by their content.
var extensions = []string{".webp", ".jpg", ".jpeg", ".jfif", ".jpe", ".png", ".bmp", ".gif", ".tif", ".tiff", ".mp3", ".wav"}

// labelsFile is the name of a JSON file that maps classes to words.
const labelsFile = "words.json"

// OpenSplit opens a folder or zip archive of images or recordings (MP3, WAV), which are used as
// spectrograms. It skips files of other kinds (see [Set.Ignored]) and operating-system files. It
// recognizes these forms:
//
//   - lists: train.csv, val.csv and test.csv with lines "filename,label" in a folder above
//     the images (miniImageNet, and any dataset that was split like it);
//   - CUB-200-2011 (images.txt and classes.txt), with the field's split;
//   - folders of classes, "class/file" or "train/class/file": deeper files belong to the class,
//     and classes with the same name are one. If train, val and test share no class, they are
//     the split (tieredImageNet).
//
// A file split.json splits the classes: {"train": ["fox", …], "val": […], "test": […]}, where parts may
// be absent. words.json maps classes to words. split, unless "", names another split, which takes
// precedence: a JSON file, a CSV file, or a folder of CSV files. Close the set after use.
//
// # Errors
//
// A path that is neither a folder nor a zip archive; no image in a folder of its class; malformed
// lists and JSON files; two files split.json; absent images of a list. It does not open the images, and classes of a JSON
// file may be absent: see [Set.Require].
func OpenSplit(name, split string) (*Set, error) {
	given, lists, err := readSplit(split)
	if err != nil {
		return nil, err
	}
	s, err := openSet(name, func(c *contents) (*layout, error) { return c.layout(lists, given == nil) })
	if err != nil {
		return nil, err
	}
	if given != nil {
		s.split = given
	}
	if s.split != nil {
		s.split.named(func(class string) bool { return s.pictures[class] != nil })
	}
	return s, nil
}

// openSet opens a folder or zip archive, whose images layoutOf assigns to classes.
func openSet(name string, layoutOf func(*contents) (*layout, error)) (s *Set, err error) {
	src, err := openSource(name)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("%s: %w", name, err), src.close())
		}
	}()
	contents, err := list(src)
	if err != nil {
		return nil, err
	}
	l, err := layoutOf(contents)
	if err != nil {
		return nil, err
	}
	s = &Set{
		name: filepath.Base(name), source: src, form: l.form, split: l.split, labels: l.labels,
		left: append(contents.left, l.outside...),
	}
	s.fill(l.pictures)
	slices.Sort(s.classes)
	words, err := contents.labels()
	if err != nil {
		return nil, err
	}
	if words != nil {
		s.labels = words
	}
	return s, nil
}

// fill sorts pictures into classes, and each class by name. The classes are in the order of their
// first image.
func (s *Set) fill(pictures []Picture) {
	s.pictures = make(map[string][]Picture)
	for _, p := range pictures {
		if s.pictures[p.Class] == nil {
			s.classes = append(s.classes, p.Class)
		}
		s.pictures[p.Class] = append(s.pictures[p.Class], p)
	}
	for _, class := range s.pictures {
		slices.SortFunc(class, func(a, b Picture) int { return strings.Compare(a.Name, b.Name) })
	}
	s.index = newIndex(s.pictures)
}

func isPicture(file string) bool {
	return slices.Contains(extensions, strings.ToLower(path.Ext(file)))
}

// labels reads the file of class labels that is nearest to the root. It returns nil if there is none.
func (c *contents) labels() (map[string]string, error) {
	nearest := ""
	for _, file := range c.files {
		if path.Base(file) == labelsFile && (nearest == "" || len(file) < len(nearest)) {
			nearest = file
		}
	}
	if nearest == "" {
		return nil, nil
	}
	raw, err := c.read(nearest)
	if err != nil {
		return nil, err
	}
	var labels map[string]string
	if err := json.Unmarshal(raw, &labels); err != nil {
		return nil, fmt.Errorf("%s is not a JSON map of class to words (%w): fix or remove it", nearest, err)
	}
	for class, words := range maps.Clone(labels) {
		labels[norm.NFC.String(class)] = words // as folders are named
	}
	return labels, nil
}

// Close releases the archive.
func (s *Set) Close() error { return s.source.close() }

// Ignored lists the skipped files: unreadable folders, files that are neither images nor
// recordings, except lists and labels, and images outside the folders of classes.
func (s *Set) Ignored() []Left { return s.left }

// Form describes the form of the dataset: "folders of classes".
func (s *Set) Form() string { return s.form }

// Split returns the split that was given to OpenSplit, or the split that comes with the data, or
// nil.
func (s *Set) Split() *Split { return s.split }

// Name returns the base name of the folder or archive.
func (s *Set) Name() string { return s.name }

// Classes returns the names of the classes, sorted, except for a set of [NamesOnly]. Callers must
// not modify it.
func (s *Set) Classes() []string { return s.classes }

// Pictures returns the images of a class, sorted by name. Callers must not modify it.
func (s *Set) Pictures(class string) []Picture { return s.pictures[class] }

// Label returns the words for a class, "goldfish, Carassius auratus" for "n01443537", or the class
// itself if it has none.
func (s *Set) Label(class string) string { return cmp.Or(s.labels[class], class) }

// LabelOf returns the label of the class of an image, or "" if the set has no image of this name.
func (s *Set) LabelOf(name string) string { return s.Label(s.index.name[name].Class) }

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

// Require returns an error that names the classes that the set does not have.
func (s *Set) Require(classes []string) error {
	absent := slices.DeleteFunc(slices.Clone(classes), func(class string) bool { return s.pictures[class] != nil })
	if len(absent) == 0 {
		return nil
	}
	remedy := "is it the data set of that split?"
	if len(s.classes) == 1 {
		remedy = "all its images are in one folder, " + s.classes[0] + ": " + sortOut
	}
	return fmt.Errorf("%s: lacks %d of %d classes: %s: %s", s.name, len(absent), len(classes), plural.First(absent, 5), remedy)
}

// sortOut is the remedy for images outside a folder of their class.
const sortOut = "use a separate folder for each class, or add lists (train.csv, val.csv, test.csv: filename,label)"

// Sample lists images of some classes, class by class and sorted by name, with the indexes of their
// classes. It draws each images per class with the seed, or takes all if each is 0. It returns an
// error for a class with fewer images.
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
				return nil, nil, fmt.Errorf("class %s has %s", class, plural.Count(len(pictures), "image", "images"))
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

// ClassesOf lists the classes of the named images, sorted. It ignores unknown names.
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

// decoding must change when the decoder returns different pixels for the same file.
const decoding = 2

// Fingerprint returns hexadecimal digits that identify the pixels of images: they change if a file
// changes. It returns an error if a file cannot be examined.
func (s *Set) Fingerprint(pictures []Picture) (string, error) {
	h := sha256.New()
	fmt.Fprintf(h, "%d %d\n", decoding, s.maxSide)
	for _, p := range pictures {
		_, stamp, err := s.source.stat(p.Name)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(h, "%q %s\n", p.Name, stamp)
	}
	return fmt.Sprintf("%x", h.Sum(nil)), nil
}

// Size returns the number of bytes of an image's file, or -1 if it cannot be examined.
func (s *Set) Size(name string) int64 {
	size, _, err := s.source.stat(name)
	if err != nil {
		return -1
	}
	return size
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

// NamesOnly returns a set of images with known names and classes but without pixels, such as the
// images of an array of features: it can draw episodes, and [Set.Image] returns an error. Its
// classes are in the order of their first image. split names a split in a form that [OpenSplit]
// reads; it is optional.
//
// # Errors
//
// No images; an image without a name or a class; a malformed split.
func NamesOnly(name string, pictures []Picture, split string) (*Set, error) {
	given, lists, err := readSplit(split)
	if lists != nil {
		given, err = lists.split()
	}
	if err != nil {
		return nil, err
	}
	if len(pictures) == 0 {
		return nil, errors.New(name + ": no images")
	}
	for _, p := range pictures {
		if p.Name == "" || p.Class == "" {
			return nil, errors.New(name + ": an image without a name or a class")
		}
	}
	s := &Set{name: name, source: namesOnly{}, form: "names", split: given}
	s.fill(pictures)
	return s, nil
}

type namesOnly struct{}

var errNamesOnly = errors.New("only the image's name is known here")

func (namesOnly) read(string) ([]byte, error)        { return nil, errNamesOnly }
func (namesOnly) stat(string) (int64, string, error) { return 0, "", errNamesOnly }
func (namesOnly) close() error                       { return nil }
