package data

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// Episode is one few-shot task: the pictures that teach its classes and those to
// be classified, by name. With way classes, support picture i and query i both
// belong to class i mod way: the first pictures of all classes come first, then
// the second ones.
type Episode struct {
	Support []string `json:"support"` // [way·shot]; "" where a class has fewer than others, see Keep
	Query   []string `json:"query"`   // [way·queries]
}

// ParseEpisodes reads the episodes of one number of shots and returns their
// number of classes as well. The form is
//
//	{"episodes_1shot": [{"support": [name…], "query": [name…]}, …], "episodes_5shot": […]}
//
// beside which other entries may stand. The name opens every error.
//
// # Errors
//
// Other JSON, no episodes of that many shots, episodes whose support is not
// shot pictures of at least two classes, whose queries are not as many for each
// class, or which differ in their number of classes.
func ParseEpisodes(name string, raw []byte, shot int) (episodes []Episode, way int, err error) {
	if shot < 1 {
		return nil, 0, fmt.Errorf("%d shots: want at least one", shot)
	}
	var file map[string]json.RawMessage
	if err := json.Unmarshal(raw, &file); err != nil {
		return nil, 0, fmt.Errorf("%s: not a list of episodes: %w", name, err)
	}
	key := "episodes_" + strconv.Itoa(shot) + "shot"
	list, ok := file[key]
	if !ok {
		return nil, 0, fmt.Errorf("%s: no %s; it has %s", name, key, lists(file))
	}
	if err := json.Unmarshal(list, &episodes); err != nil {
		return nil, 0, fmt.Errorf("%s: %s: %w", name, key, err)
	}
	if len(episodes) == 0 {
		return nil, 0, fmt.Errorf("%s: %s is empty", name, key)
	}
	way = len(episodes[0].Support) / shot
	for i, e := range episodes {
		if err := e.check(way, shot); err != nil {
			return nil, 0, fmt.Errorf("%s: %s, number %d: %w", name, key, i+1, err)
		}
	}
	return episodes, way, nil
}

// lists names the lists of episodes that a file has.
func lists(file map[string]json.RawMessage) string {
	var keys []string
	for key := range file {
		if strings.HasPrefix(key, "episodes_") {
			keys = append(keys, key)
		}
	}
	if len(keys) == 0 {
		return "no episodes"
	}
	slices.Sort(keys)
	return few(keys)
}

// check reports whether e has the given number of classes and shots.
func (e Episode) check(way, shot int) error {
	switch {
	case way < 2:
		return fmt.Errorf("%d support pictures for %d shots: want at least two classes", len(e.Support), shot)
	case len(e.Support) != way*shot:
		return fmt.Errorf("%d support pictures, want %d (%d classes, %d shots)", len(e.Support), way*shot, way, shot)
	case len(e.Query) == 0 || len(e.Query)%way != 0:
		return fmt.Errorf("%d queries, want as many for each of %d classes", len(e.Query), way)
	case slices.Contains(e.Support, ""): // null is read so, too
		return errors.New("a support picture without a name: want the name of a file")
	case slices.Contains(e.Query, ""):
		return errors.New("a query without a name: want the name of a file")
	}
	return nil
}

// Check reports whether the set has every picture of an episode, in the order
// that Episode describes.
//
// # Errors
//
// An unknown name, or one that is not of the class its place calls for.
func (s *Set) Check(e Episode, way int) error {
	classes := make([]string, way)
	for i, name := range slices.Concat(e.Support, e.Query) {
		place, kind := i, "support"
		if i >= len(e.Support) {
			place, kind = i-len(e.Support), "query"
		}
		p, err := s.Find(name)
		if err != nil {
			return err
		}
		switch known := &classes[place%way]; *known {
		case p.Class:
		case "":
			if slices.Contains(classes, p.Class) {
				return fmt.Errorf("%s: %s picture %d (%s): class %s is in the episode already", s.name, kind, place+1, name, p.Class)
			}
			*known = p.Class
		default:
			return fmt.Errorf("%s: %s picture %d (%s) is of class %s, its place calls for %s: want the first of each class, then the second", s.name, kind, place+1, name, p.Class, *known)
		}
	}
	return nil
}

// Strangers draws pictures that belong to none of an episode's classes: queries
// pictures of each of ways other classes, classes and pictures without
// repetition. They depend on the seed, the episode's number and the classes, in
// their order, and on nothing else.
//
// # Errors
//
// Pictures of the episode that the set does not have, fewer other classes than
// ways, a class of fewer pictures than are to be drawn.
func Strangers(set *Set, classes []string, e Episode, ways, queries int, seed uint64, number int) ([]string, error) {
	inside := make([]string, 0, len(e.Support))
	for _, name := range e.Support {
		p, err := set.Find(name)
		if err != nil {
			return nil, err
		}
		inside = append(inside, p.Class)
	}
	var others []string
	for _, class := range classes {
		if !slices.Contains(inside, class) {
			others = append(others, class)
		}
	}
	if len(others) < ways {
		return nil, fmt.Errorf("%s: %d classes are left outside an episode, %d are wanted: use fewer ways or more classes", set.name, len(others), ways)
	}
	// Another stream than that of the episode itself.
	rng := rand.New(rand.NewPCG(^seed, scramble(uint64(number))))
	var names []string
	for _, at := range draw(rng, len(others), ways) {
		pictures := set.pictures[others[at]]
		if len(pictures) < queries {
			return nil, fmt.Errorf("%s: class %s has %d pictures, %d are to be drawn: add some or ask for fewer queries", set.name, others[at], len(pictures), queries)
		}
		for _, picture := range draw(rng, len(pictures), queries) {
			names = append(names, pictures[picture].Name)
		}
	}
	return names, nil
}

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
