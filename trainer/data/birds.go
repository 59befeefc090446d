package data

import (
	"bufio"
	"bytes"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
)

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
