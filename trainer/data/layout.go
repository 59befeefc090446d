package data

import (
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/deepemd/deepemd/internal/folders"
	"github.com/deepemd/deepemd/internal/plural"
)

// contents lists the files of a dataset without operating-system files.
type contents struct {
	source   listable
	files    []string // sorted
	pictures []string // the images and recordings, sorted
	left     []Left   // unreadable folders and unrecognized files
	root     string   // the deepest folder that contains all images, or "."
}

// layout assigns the images of a dataset to classes, and has the split that comes with the data.
type layout struct {
	form     string
	pictures []Picture
	labels   map[string]string // words for the classes; may be nil
	split    *Split            // optional
	outside  []Left            // images that are in no folder of a class
}

func list(src listable) (*contents, error) {
	files, unreadable, err := src.list()
	if err != nil {
		return nil, err
	}
	slices.Sort(files)
	c := &contents{source: src, files: slices.DeleteFunc(files, folders.Hidden)}
	c.pictures, c.left = sift(src, c.files)
	c.left = slices.Concat(unreadable, c.left)
	if len(c.pictures) == 0 {
		return nil, errors.New("no images or sounds (JPEG, PNG, WebP, BMP, GIF, TIFF, MP3, WAV)" + Instead(c.left) + ": give a folder or zip archive that has some")
	}
	c.root = folders.Common(c.pictures)
	return c, nil
}

// read reads a file. Errors name it.
func (c *contents) read(file string) ([]byte, error) {
	raw, err := c.source.read(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return raw, nil
}

// layout recognizes the form of the dataset. given is a list of its images, or nil to search for
// one. Unless own is set, a split that comes with the data is ignored.
func (c *contents) layout(given *listing, own bool) (*layout, error) {
	l, err := c.places(given, own)
	if err != nil || given != nil || !own {
		return l, err
	}
	found := ""
	for _, file := range c.files {
		if path.Base(file) != splitFile || !c.containsAll(path.Dir(file)) {
			continue
		}
		if found != "" {
			return nil, fmt.Errorf("%s and %s: remove one, or choose one with --split", found, file)
		}
		found = file
		raw, err := c.read(file)
		if err != nil {
			return nil, err
		}
		if l.split, err = parseSplit(file, raw); err != nil {
			return nil, err
		}
	}
	return l, nil
}

// splitFile is the name of a file with a split of the classes.
const splitFile = "split.json"

func (c *contents) places(given *listing, own bool) (*layout, error) {
	if given == nil {
		var err error
		if given, err = c.listing(); err != nil {
			return nil, err
		}
	}
	if given != nil {
		l := &layout{form: "images listed in " + given.name}
		var err error
		if own {
			if l.split, err = given.split(); err != nil {
				return nil, err
			}
		}
		l.pictures, err = given.resolve(c.pictures)
		return l, err
	}
	if birds, err := c.birds(); birds != nil || err != nil {
		return birds, err
	}
	return c.folders()
}

// listing reads the lists of images in the dataset: train.csv, val.csv and test.csv in a folder
// above the images, or in its subfolder split or splits. It returns nil if there are no lists.
func (c *contents) listing() (*listing, error) {
	texts, found := map[string][]byte{}, ""
	for _, file := range c.files {
		folder := path.Dir(file)
		above := folder
		if base := path.Base(folder); base == "split" || base == "splits" {
			above = path.Dir(folder)
		}
		if path.Ext(file) != ".csv" || folders.Part(stemOf(file)) == "" || !c.containsAll(above) {
			continue
		}
		raw, err := c.read(file)
		if err != nil {
			return nil, err
		}
		if !isListing(raw) {
			continue
		}
		if len(texts) > 0 && found != folder {
			return nil, fmt.Errorf("lists of images in %s and in %s: choose one with --split", found, folder)
		}
		texts[path.Base(file)], found = raw, folder
	}
	if len(texts) == 0 {
		return nil, nil
	}
	return parseListing(strings.Join(slices.Sorted(maps.Keys(texts)), ", "), texts)
}

// containsAll reports whether a folder contains all images, directly or in subfolders.
func (c *contents) containsAll(folder string) bool {
	return folder == "." || c.root == folder || strings.HasPrefix(c.root, folder+"/")
}

// folders takes the classes from folders: see package folders. If train, val and test share no
// class, as in tieredImageNet, they are the split.
func (c *contents) folders() (*layout, error) {
	l := &layout{form: "folders of classes"}
	split, parts := &Split{name: "folders train, val, test"}, map[string]string{}
	for i, place := range folders.Places(composed(c.pictures)) {
		class, part := place.Class, place.Part
		if class == "" {
			l.outside = append(l.outside, Left{Name: c.pictures[i]})
			continue
		}
		l.pictures = append(l.pictures, Picture{Class: class, Name: c.pictures[i]})
		if split == nil {
			continue
		}
		switch known, seen := parts[class]; {
		case part == "" || seen && known != part:
			split = nil
		case !seen:
			parts[class] = part
			classes := split.part(part)
			*classes = append(*classes, class)
		}
	}
	if len(l.pictures) == 0 {
		return nil, fmt.Errorf("%s, but none in a folder: %s", plural.Count(len(l.outside), "image", "images"), sortOut)
	}
	if split != nil {
		split.sort()
		l.form, l.split = split.name, split
	}
	return l, nil
}

// composed returns paths in Unicode's composed form. Disks of macOS store accented letters
// decomposed.
func composed(paths []string) []string {
	all := make([]string, len(paths))
	for i, p := range paths {
		all[i] = norm.NFC.String(folders.Text(p))
	}
	return all
}

// Files of CUB-200-2011 (Wah et al.), in the folder above its pictures: lines
// "1 001.Black_footed_Albatross/Black_Footed_Albatross_0001_796111.jpg" and
// "1 001.Black_footed_Albatross".
const (
	birdPictures = "images.txt"
	birdClasses  = "classes.txt"
	birdFolder   = "images"
)

// birds recognizes CUB-200-2011 and splits it like the field does (Chen et al., "A Closer Look at
// Few-shot Classification", write_CUB_filelist.py). With classes numbered from 0, even numbers
// train, every fourth number from 1 validates, and every fourth from 3 tests: 100, 50 and 50
// classes. It returns nil for other datasets.
func (c *contents) birds() (*layout, error) {
	base, ok := c.birdBase()
	if !ok {
		return nil, nil
	}
	numbers, err := c.numbered(path.Join(base, birdClasses))
	if err != nil {
		return nil, err
	}
	listed, err := c.numbered(path.Join(base, birdPictures))
	if err != nil {
		return nil, err
	}
	l := &layout{form: "CUB-200-2011", labels: make(map[string]string), split: &Split{name: "CUB-200-2011"}}
	place := make(map[string]int, len(numbers))
	for _, n := range numbers {
		place[n.text] = n.number - 1
	}
	var absent []string
	for _, n := range listed {
		name := path.Join(base, birdFolder, n.text)
		class := path.Base(path.Dir(name))
		at, known := place[class]
		if !known {
			return nil, fmt.Errorf("%s: %s is of class %s, which %s lacks: is the copy complete?", birdPictures, n.text, class, birdClasses)
		}
		if _, there := slices.BinarySearch(c.pictures, name); !there {
			absent = append(absent, n.text)
			continue
		}
		l.pictures = append(l.pictures, Picture{Class: class, Name: name})
		if l.labels[class] == "" {
			_, words, _ := strings.Cut(class, ".")
			l.labels[class] = strings.ReplaceAll(words, "_", " ")
			classes := l.split.part(birdPart(at))
			*classes = append(*classes, class)
		}
	}
	if len(absent) > 0 {
		return nil, fmt.Errorf("the data lacks %d of %s in %s: %s: copy the data set again", len(absent), plural.Count(len(listed), "image", "images"), birdPictures, plural.First(absent, 5))
	}
	l.split.sort()
	return l, nil
}

func birdPart(number int) string {
	switch {
	case number%2 == 0:
		return "train"
	case number%4 == 1:
		return "val"
	}
	return "test"
}

// birdBase returns the folder with the lists of CUB-200-2011.
func (c *contents) birdBase() (string, bool) {
	for _, file := range c.files {
		base := path.Dir(file)
		if path.Base(file) != birdPictures {
			continue
		}
		_, classes := slices.BinarySearch(c.files, path.Join(base, birdClasses))
		inside := func(p string) bool { return strings.HasPrefix(p, path.Join(base, birdFolder)+"/") }
		if classes && slices.ContainsFunc(c.pictures, inside) {
			return base, true
		}
	}
	return "", false
}

// numberedLine is a line of the form "number text".
type numberedLine struct {
	number int
	text   string
}

func (c *contents) numbered(file string) ([]numberedLine, error) {
	raw, err := c.read(file)
	if err != nil {
		return nil, err
	}
	return parseNumbered(file, raw)
}

func parseNumbered(name string, raw []byte) ([]numberedLine, error) {
	var lines []numberedLine
	for i, text := range strings.Split(string(raw), "\n") {
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		number, rest, _ := strings.Cut(text, " ")
		n, err := strconv.Atoi(number)
		if rest = strings.TrimSpace(rest); err != nil || n < 1 || rest == "" {
			return nil, fmt.Errorf("%s, line %d: %.60q, want a number from 1 and a name: copy the data set again", name, i+1, text)
		}
		lines = append(lines, numberedLine{n, rest})
	}
	return lines, nil
}
