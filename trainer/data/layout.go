package data

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/sound"
	"github.com/deepemd/deepemd/internal/folders"
)

// contents are the files of a set, those that systems leave behind taken out.
type contents struct {
	source   listable
	files    []string // sorted
	pictures []string // those of them that are pictures, sorted
	left     []string // folders that cannot be read, and files that are neither pictures nor about them
	root     string   // the folder that all pictures lie in or below, "." for none
}

// layout says how a set lies: which picture is of which
// class, and the split of the classes if one comes with it.
type layout struct {
	form     string // for people
	pictures []Picture
	labels   map[string]string // class to words, may be nil
	split    *Split            // nil for none
}

func list(src listable) (*contents, error) {
	files, unreadable, err := src.list()
	if err != nil {
		return nil, err
	}
	slices.Sort(files)
	c := &contents{source: src, left: unreadable}
	for _, file := range files {
		if folders.Hidden(file) {
			continue
		}
		c.files = append(c.files, file)
		if isPicture(file) || looksLikePicture(src, file) {
			c.pictures = append(c.pictures, file)
		} else if ext := path.Ext(file); ext != ".csv" && ext != ".json" {
			c.left = append(c.left, file)
		}
	}
	if len(c.pictures) == 0 {
		return nil, errors.New("no pictures or sounds (JPEG, PNG, WebP, BMP, GIF, TIFF, MP3, WAV): want a folder of them for each class")
	}
	c.root = commonFolder(c.pictures)
	return c, nil
}

// looksLikePicture reports whether a file is a picture or recording by its content.
func looksLikePicture(src listable, file string) bool {
	if slices.Contains(texts, strings.ToLower(path.Ext(file))) {
		return false
	}
	begin := src.head(file)
	return imaging.Sniff(begin) || sound.Sniff(begin)
}

// texts are endings of files beside pictures, of which a set may have as many: nobody looks into
// them.
var texts = []string{".csv", ".htm", ".html", ".json", ".md", ".txt", ".xml", ".yaml"}

// read reads a file, with an error that names it.
func (c *contents) read(file string) ([]byte, error) {
	raw, err := c.source.read(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return raw, nil
}

// commonFolder is the folder that all files lie in or below, "." for none.
func commonFolder(files []string) string {
	common := path.Dir(files[0])
	for _, file := range files[1:] {
		for common != "." && !strings.HasPrefix(file, common+"/") {
			common = path.Dir(common)
		}
	}
	return common
}

// layout finds out how the set lies. given is a list of its pictures, nil for
// one that may lie among them.
func (c *contents) layout(given *Listing) (*layout, error) {
	l, err := c.places(given)
	if err != nil || given != nil {
		return l, err
	}
	for _, file := range c.files {
		if path.Base(file) != splitFile || !c.above(path.Dir(file)) {
			continue
		}
		raw, err := c.read(file)
		if err != nil {
			return nil, err
		}
		if l.split, err = ParseSplit(file, raw); err != nil {
			return nil, err
		}
	}
	return l, nil
}

// splitFile is where a set may keep the split of its classes.
const splitFile = "split.json"

// places finds out which picture is of which class.
func (c *contents) places(given *Listing) (*layout, error) {
	if given == nil {
		var err error
		if given, err = c.listing(); err != nil {
			return nil, err
		}
	}
	if given != nil {
		pictures, err := given.resolve(c.pictures)
		if err != nil {
			return nil, err
		}
		return &layout{form: "pictures listed in " + given.name, pictures: pictures, split: given.split()}, nil
	}
	if birds, err := c.birds(); birds != nil || err != nil {
		return birds, err
	}
	return c.folders()
}

// listing reads the lists of pictures that lie in the set: train.csv and its like
// in a folder above the pictures, or in one called split or splits there. It
// returns nil where there are none.
func (c *contents) listing() (*Listing, error) {
	texts, found := map[string][]byte{}, ""
	for _, file := range c.files {
		folder := path.Dir(file)
		above := folder
		if base := path.Base(folder); base == "split" || base == "splits" {
			above = path.Dir(folder)
		}
		if path.Ext(file) != ".csv" || folders.Part(stemOf(file)) == "" || !c.above(above) {
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
			return nil, fmt.Errorf("lists of pictures in %s and in %s: name the split that is meant", found, folder)
		}
		texts[path.Base(file)], found = raw, folder
	}
	if len(texts) == 0 {
		return nil, nil
	}
	return parseListing(strings.Join(slices.Sorted(maps.Keys(texts)), ", "), texts)
}

// above reports whether all pictures lie in or below a folder.
func (c *contents) above(folder string) bool {
	return folder == "." || c.root == folder || strings.HasPrefix(c.root, folder+"/")
}

// folders takes classes by their folders: see package folders. Where train, val and test share
// no class, as tieredImageNet's, they are the split.
func (c *contents) folders() (*layout, error) {
	l := &layout{form: "folders of classes"}
	split, parts := &Split{name: "folders train, val, test"}, map[string]string{}
	outside := 0 // pictures outside of any folder
	for i, place := range folders.Places(composed(c.pictures)) {
		class, part := place.Class, place.Part
		if class == "" {
			outside++
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
		return nil, fmt.Errorf("%d pictures, but in no folder: %s", outside, sortOut)
	}
	if split != nil && outside == 0 {
		split.sort()
		l.form, l.split = split.name, split
	}
	return l, nil
}

// composed returns paths in one spelling of letters with accents, which disks of macOS and others
// write in two ways.
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

// birds recognises CUB-200-2011 and splits it as the field does: of the classes
// numbered from 0, those with even numbers train, every fourth from 1 validates
// and every fourth from 3 tests: 100, 50 and 50 (Chen et al., "A Closer Look at
// Few-shot Classification", write_CUB_filelist.py). It returns nil for another
// set.
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
			return nil, fmt.Errorf("%s: %s is of class %s, which %s lacks: is the copy whole?", birdPictures, n.text, class, birdClasses)
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
		return nil, fmt.Errorf("%d of the %d pictures of %s are absent: %s: copy the data set again", len(absent), len(listed), birdPictures, few(absent))
	}
	l.split.sort()
	return l, nil
}

// birdPart is the part of the class with a number from 0.
func birdPart(number int) string {
	switch {
	case number%2 == 0:
		return "train"
	case number%4 == 1:
		return "val"
	}
	return "test"
}

// birdBase is the folder of CUB-200-2011's lists.
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

// numberedLine is a line "number text".
type numberedLine struct {
	number int
	text   string
}

// numbered reads a file of such lines.
func (c *contents) numbered(file string) ([]numberedLine, error) {
	raw, err := c.read(file)
	if err != nil {
		return nil, err
	}
	return parseNumbered(file, raw)
}

func parseNumbered(name string, raw []byte) ([]numberedLine, error) {
	var lines []numberedLine
	scanner := bufio.NewScanner(bytes.NewReader(raw))
	for at := 1; scanner.Scan(); at++ {
		text := strings.TrimSpace(scanner.Text())
		if text == "" {
			continue
		}
		number, rest, _ := strings.Cut(text, " ")
		n, err := strconv.Atoi(number)
		if rest = strings.TrimSpace(rest); err != nil || n < 1 || rest == "" {
			return nil, fmt.Errorf("%s, line %d: %.60q, want a number from 1 and a name: copy the data set again", name, at, text)
		}
		lines = append(lines, numberedLine{n, rest})
	}
	if err := scanner.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w: copy the data set again", name, err)
	}
	return lines, nil
}
