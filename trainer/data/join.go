package data

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
)

// Unlabeled is the class of images without a label.
const Unlabeled = "(unlabeled)"

// Join returns one set with the images of several. Classes with the same name become one. All
// images of the sets without labels belong to the class [Unlabeled], which is not one of
// [Set.Classes]. An image's name begins with the number of its set: "0/train/fox/1.jpg". The first
// set provides the split. The joined set owns the sets: closing it closes them all.
//
// It returns an error if no set has labels.
func Join(labeled, unlabeled []*Set) (*Set, error) {
	if len(labeled) == 0 {
		return nil, errors.New("no data set with labels")
	}
	if len(labeled)+len(unlabeled) == 1 {
		return labeled[0], nil
	}
	s := &Set{split: labeled[0].split, labels: map[string]string{}}
	var names, forms []string
	var sources joined
	var all []Picture
	for i, part := range slices.Concat(labeled, unlabeled) {
		names, forms = append(names, part.name), append(forms, part.form)
		sources = append(sources, part.source)
		for _, left := range part.left {
			s.left = append(s.left, Left{part.name + "/" + left.Name, left.Kind})
		}
		for class, pictures := range part.pictures {
			if i >= len(labeled) {
				class = Unlabeled
			} else if words := part.labels[class]; words != "" {
				s.labels[class] = words
			}
			for _, p := range pictures {
				all = append(all, Picture{Class: class, Name: path.Join(strconv.Itoa(i), p.Name)})
			}
		}
	}
	s.source, s.name, s.form = sources, strings.Join(names, "+"), strings.Join(slices.Compact(forms), ", ")
	s.fill(all)
	s.classes = slices.DeleteFunc(s.classes, func(class string) bool { return class == Unlabeled })
	slices.Sort(s.classes)
	return s, nil
}

// joined combines sources. A name begins with the number of its source.
type joined []source

// find returns the source of a name, and the name within it.
func (j joined) find(name string) (source, string, error) {
	number, rest, _ := strings.Cut(name, "/")
	i, err := strconv.Atoi(number)
	if err != nil || i < 0 || i >= len(j) {
		return nil, "", fmt.Errorf("no set %q among %d", number, len(j))
	}
	return j[i], rest, nil
}

func (j joined) read(name string) ([]byte, error) {
	s, rest, err := j.find(name)
	if err != nil {
		return nil, err
	}
	return s.read(rest)
}

func (j joined) stat(name string) (int64, string, error) {
	s, rest, err := j.find(name)
	if err != nil {
		return 0, "", err
	}
	return s.stat(rest)
}

func (j joined) close() error {
	var errs []error
	for _, s := range j {
		errs = append(errs, s.close())
	}
	return errors.Join(errs...)
}
