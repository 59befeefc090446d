package data

import (
	"fmt"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
)

// GroupSampler draws episodes whose support and queries share no group, such as no
// speaker: the groups are shuffled for each episode, the first half of them teaches, the
// others ask. Within its groups every picture of a class is equally likely, without
// repetition. An episode depends on what that of a Sampler does.
type GroupSampler struct {
	Sampler
	groups []string
	byName map[string]map[string][]Picture // pictures of a class and group
}

// NewGroupSampler is NewSampler for groups. A picture's group is its file's name up to
// the first separator: the speaker "theo" of "7/theo_3.mp3" for "_".
//
// # Errors
//
// Those of NewSampler, a separator that is not in a file's name, a single group, and too
// few pictures of a class in the groups with the fewest of it.
func NewGroupSampler(set *Set, classes []string, way, shot, query int, seed uint64, separator string) (*GroupSampler, error) {
	base, err := NewSampler(set, classes, way, shot, query, seed)
	if err != nil {
		return nil, err
	}
	s := &GroupSampler{Sampler: *base, byName: make(map[string]map[string][]Picture)}
	for _, class := range classes {
		groups := make(map[string][]Picture)
		for _, p := range set.pictures[class] {
			group, _, found := strings.Cut(path.Base(p.Name), separator)
			if !found || separator == "" {
				return nil, fmt.Errorf("%s: %s has no %q in its name that would end its group", set.name, p.Name, separator)
			}
			groups[group] = append(groups[group], p)
			if !slices.Contains(s.groups, group) {
				s.groups = append(s.groups, group)
			}
		}
		s.byName[class] = groups
	}
	slices.Sort(s.groups)
	if len(s.groups) < 2 {
		return nil, fmt.Errorf("%s: all file names begin with %s%s: want at least two groups to keep apart", set.name, s.groups[0], separator)
	}
	return s, s.checkHalves()
}

// checkHalves refuses classes that some halves of the groups have too few pictures of.
func (s *GroupSampler) checkHalves() error {
	for _, class := range s.classes {
		var sizes []int
		for _, group := range s.groups {
			sizes = append(sizes, len(s.byName[class][group]))
		}
		slices.Sort(sizes)
		for _, half := range []struct {
			groups, want int
			what         string
		}{{len(s.groups) / 2, s.shot, "shots"}, {len(s.groups) - len(s.groups)/2, s.query, "queries"}} {
			have := 0
			for _, n := range sizes[:half.groups] {
				have += n
			}
			if have < half.want {
				return fmt.Errorf("%s: class %s has only %d pictures in %d of its %d groups, an episode takes %d %s from as many: add some or ask for fewer",
					s.set.name, class, have, half.groups, len(s.groups), half.want, half.what)
			}
		}
	}
	return nil
}

// Groups returns the names of the groups, sorted.
func (s *GroupSampler) Groups() []string { return s.groups }

// Episode returns episode number i, from 0. It may be called in any order and from
// several goroutines at a time.
func (s *GroupSampler) Episode(i int) Episode {
	rng := rand.New(rand.NewPCG(s.seed, scramble(uint64(i))))
	e := Episode{Support: make([]string, s.way*s.shot), Query: make([]string, s.way*s.query)}
	order := draw(rng, len(s.groups), len(s.groups))
	half := len(order) / 2
	for c, class := range draw(rng, len(s.classes), s.way) {
		groups := s.byName[s.classes[class]]
		s.drawPictures(rng, e.Support, c, s.shot, groups, order[:half])
		s.drawPictures(rng, e.Query, c, s.query, groups, order[half:])
	}
	return e
}

// drawPictures draws n pictures of the given groups for class c of an episode.
func (s *GroupSampler) drawPictures(rng *rand.Rand, dst []string, c, n int, groups map[string][]Picture, of []int) {
	var pictures []Picture
	for _, g := range of {
		pictures = append(pictures, groups[s.groups[g]]...)
	}
	for k, picture := range draw(rng, len(pictures), n) {
		dst[k*s.way+c] = pictures[picture].Name
	}
}
