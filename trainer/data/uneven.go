package data

import "fmt"

// Keep returns an episode of len(counts) classes whose class c keeps its first counts[c]
// examples, or all that it has; the names of the others are "". The queries stay.
func (e Episode) Keep(counts []int) Episode {
	kept := Episode{Support: make([]string, len(e.Support)), Query: e.Query}
	for i, name := range e.Support {
		if i/len(counts) < counts[i%len(counts)] {
			kept.Support[i] = name
		}
	}
	return kept
}

// ByClass returns the support pictures of each of way classes.
//
// # Errors
//
// Places that do not make classes of equal size, and a class without a picture.
func (e Episode) ByClass(way int) ([][]string, error) {
	if len(e.Support) == 0 || len(e.Support)%way != 0 {
		return nil, fmt.Errorf("%d support pictures do not make %d classes of equal size", len(e.Support), way)
	}
	classes := make([][]string, way)
	for i, name := range e.Support {
		if name != "" {
			classes[i%way] = append(classes[i%way], name)
		}
	}
	for c, names := range classes {
		if len(names) == 0 {
			return nil, fmt.Errorf("class %d of an episode has no support picture", c+1)
		}
	}
	return classes, nil
}
