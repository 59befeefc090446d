package data

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

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
