package data

import (
	"errors"
	"slices"
	"strings"
)

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

func (nowhere) list() ([]string, error)      { return nil, nil }
func (nowhere) read(string) ([]byte, error)  { return nil, errNowhere }
func (nowhere) stamp(string) (string, error) { return "", errNowhere }
func (nowhere) close() error                 { return nil }
