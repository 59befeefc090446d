package data

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

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
