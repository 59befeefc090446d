package data

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/deepemd/deepemd/internal/plural"
)

// Episode is one few-shot task: the support images, which teach its classes, and the queries, by
// name. With way classes, support image i and query i belong to class i mod way: the first images
// of all classes precede the second ones.
type Episode struct {
	Support []string `json:"support"` // [way·shot]; "" for the missing examples of a smaller class, see Keep
	Query   []string `json:"query"`   // [way·queries]
}

// ParseEpisodes reads the episodes with the given number of shots, and returns them with their
// number of classes. The form is
//
//	{"episodes_1shot": [{"support": [name…], "query": [name…]}, …], "episodes_5shot": […]}
//
// and may have other entries. Every error begins with name.
//
// # Errors
//
// Other JSON; no episodes with this number of shots; a support that does not have shot images of at
// least two classes; classes with different numbers of queries; episodes with different numbers of
// classes.
func ParseEpisodes(name string, raw []byte, shot int) (episodes []Episode, way int, err error) {
	if shot < 1 {
		return nil, 0, fmt.Errorf("%s: %d shots: want at least one", name, shot)
	}
	var file map[string]json.RawMessage
	if err := json.Unmarshal(raw, &file); err != nil {
		return nil, 0, fmt.Errorf(`%s: not a list of episodes, {"episodes_%dshot": [{"support": ["a/1.png", …], "query": […]}, …]}: %w`, name, shot, err)
	}
	key := "episodes_" + strconv.Itoa(shot) + "shot"
	list, ok := file[key]
	if !ok {
		other := func(key string) bool { return !strings.HasPrefix(key, "episodes_") }
		lists := slices.DeleteFunc(slices.Sorted(maps.Keys(file)), other)
		return nil, 0, fmt.Errorf("%s: no %s; it has %s", name, key, cmp.Or(plural.First(lists, 5), "no episodes"))
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

// check returns an error if e does not have the given number of classes and shots.
func (e Episode) check(way, shot int) error {
	switch {
	case way < 2:
		return fmt.Errorf("%s for %s: want at least two classes", plural.Count(len(e.Support), "support image", "support images"), plural.Count(shot, "shot", "shots"))
	case len(e.Support) != way*shot:
		return fmt.Errorf("%s, want %d (%d classes, %s)", plural.Count(len(e.Support), "support image", "support images"), way*shot, way, plural.Count(shot, "shot", "shots"))
	case len(e.Query) == 0 || len(e.Query)%way != 0:
		return fmt.Errorf("%s, want the same number for each of %d classes", plural.Count(len(e.Query), "query", "queries"), way)
	case slices.Contains(e.Support, ""): // null is read as "" too
		return errors.New("a support image without a name: want the name of a file")
	case slices.Contains(e.Query, ""):
		return errors.New("a query without a name: want the name of a file")
	}
	return nil
}

// Check returns an error if the set lacks an image of the episode, or if an image belongs to
// another class than its place requires.
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
				return fmt.Errorf("%s: %s image %d (%s): class %s is in the episode already", s.name, kind, place+1, name, p.Class)
			}
			*known = p.Class
		default:
			return fmt.Errorf("%s: %s image %d (%s) is of class %s, its position requires %s: want the first of each class, then the second", s.name, kind, place+1, name, p.Class, *known)
		}
	}
	return nil
}

// Strangers draws images of classes outside an episode: queries images of each of ways other
// classes, without repetition. They depend only on the seed, the number of the episode, and the
// classes in their order.
//
// # Errors
//
// Images of the episode that are not in the set; fewer other classes than ways; a class with too
// few images.
func Strangers(set *Set, classes []string, e Episode, ways, queries int, seed uint64, number int) ([]string, error) {
	inside := make([]string, 0, len(e.Support))
	for _, name := range e.Support {
		p, err := set.Find(name)
		if err != nil {
			return nil, err
		}
		inside = append(inside, p.Class)
	}
	others := slices.DeleteFunc(slices.Clone(classes), func(class string) bool { return slices.Contains(inside, class) })
	if len(others) < ways {
		return nil, fmt.Errorf("%s: %s left outside an episode, want %d: add classes, or use fewer ways (--way)", set.name, plural.Count(len(others), "class is", "classes are"), ways)
	}
	// A different stream than the episode itself uses.
	rng := rand.New(rand.NewPCG(^seed, scramble(uint64(number))))
	var names []string
	for _, at := range draw(rng, len(others), ways) {
		pictures := set.pictures[others[at]]
		if len(pictures) < queries {
			return nil, fmt.Errorf("%s: class %s has %s, want %d: add some or use fewer queries", set.name, others[at], plural.Count(len(pictures), "image", "images"), queries)
		}
		for _, picture := range draw(rng, len(pictures), queries) {
			names = append(names, pictures[picture].Name)
		}
	}
	return names, nil
}

// Names lists the images of episodes, each once.
func Names(episodes []Episode) []string {
	var names []string
	seen := map[string]bool{"": true}
	for _, e := range episodes {
		for _, name := range slices.Concat(e.Support, e.Query) {
			if !seen[name] {
				seen[name] = true
				names = append(names, name)
			}
		}
	}
	return names
}

// Keep returns an episode of len(counts) classes that keeps the first counts[c] examples of class
// c, or all of them. The names of the other examples are "". The queries stay the same.
func (e Episode) Keep(counts []int) Episode {
	kept := Episode{Support: make([]string, len(e.Support)), Query: e.Query}
	for i, name := range e.Support {
		if i/len(counts) < counts[i%len(counts)] {
			kept.Support[i] = name
		}
	}
	return kept
}

// ByClass returns the support images of each of way classes. It returns an error if the classes
// have different sizes, or if a class has no image.
func (e Episode) ByClass(way int) ([][]string, error) {
	if len(e.Support) == 0 || len(e.Support)%way != 0 {
		return nil, fmt.Errorf("%s cannot be divided into %d classes of equal size", plural.Count(len(e.Support), "support image", "support images"), way)
	}
	classes := make([][]string, way)
	for i, name := range e.Support {
		if name != "" {
			classes[i%way] = append(classes[i%way], name)
		}
	}
	for c, names := range classes {
		if len(names) == 0 {
			return nil, fmt.Errorf("class %d of an episode has no support image", c+1)
		}
	}
	return classes, nil
}
