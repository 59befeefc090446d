package data

import (
	"fmt"
	"math/rand/v2"
	"path"
	"slices"
	"strings"

	"github.com/deepemd/deepemd/internal/plural"
)

// Sampler draws episodes: way classes, then shot + query images of each, both without repetition
// and uniformly. An episode depends only on the seed, its number, the classes in their order, and
// the names of their images.
type Sampler struct {
	set              *Set
	classes          []string
	way, shot, query int
	seed             uint64

	groups  []string                        // sorted; nil unless support and queries share no group
	byGroup map[string]map[string][]Picture // images by class and group
}

// NewSampler returns a sampler of episodes with way classes, each with shot support images and
// query queries.
//
// # Errors
//
// Fewer than two ways, no shots or queries; more ways than classes; unknown classes; classes with
// too few images.
func NewSampler(set *Set, classes []string, way, shot, query int, seed uint64) (*Sampler, error) {
	if way < 2 || shot < 1 || query < 1 {
		return nil, fmt.Errorf("%d-way %d-shot episodes of %s per class: want at least 2 ways, 1 shot and 1 query", way, shot, plural.Count(query, "query", "queries"))
	}
	if err := set.Require(classes); err != nil {
		return nil, err
	}
	if way > len(classes) {
		remedy := "add classes, or use fewer ways (--way, or the setting way)"
		if len(set.classes) == 1 {
			remedy = "all images are in one folder: " + sortOut
		}
		return nil, fmt.Errorf("%s: %d-way episodes of %s: %s", set.name, way, plural.Count(len(classes), "class", "classes"), remedy)
	}
	seen := make(map[string]bool, len(classes))
	var small []string
	for _, class := range classes {
		if seen[class] {
			return nil, fmt.Errorf("%s: class %s is given twice", set.name, class)
		}
		seen[class] = true
		if n := len(set.pictures[class]); uint64(n) < uint64(shot)+uint64(query) { // an int may not hold the sum
			small = append(small, fmt.Sprintf("%s has %d", class, n))
		}
	}
	if len(small) > 0 {
		return nil, fmt.Errorf("%s: an episode needs %d images of a class (%s, %s), but %s: add some, use fewer, or leave such classes out with --split",
			set.name, uint64(shot)+uint64(query), plural.Count(shot, "shot", "shots"), plural.Count(query, "query", "queries"), plural.First(small, 5))
	}
	return &Sampler{set: set, classes: classes, way: way, shot: shot, query: query, seed: seed}, nil
}

// Episode returns episode number i, counted from 0. It is safe for concurrent use.
func (s *Sampler) Episode(i int) Episode {
	rng := rand.New(rand.NewPCG(s.seed, scramble(uint64(i))))
	e := Episode{Support: make([]string, s.way*s.shot), Query: make([]string, s.way*s.query)}
	fill := func(dst []string, c int, pictures []Picture, chosen []int) {
		for k, picture := range chosen {
			dst[k*s.way+c] = pictures[picture].Name
		}
	}
	order := draw(rng, len(s.groups), len(s.groups))
	half := len(order) / 2
	for c, class := range draw(rng, len(s.classes), s.way) {
		name := s.classes[class]
		if s.groups == nil {
			pictures := s.set.pictures[name]
			chosen := draw(rng, len(pictures), s.shot+s.query)
			fill(e.Support, c, pictures, chosen[:s.shot])
			fill(e.Query, c, pictures, chosen[s.shot:])
			continue
		}
		of := func(groups []int) (pictures []Picture) {
			for _, g := range groups {
				pictures = append(pictures, s.byGroup[name][s.groups[g]]...)
			}
			return pictures
		}
		support, query := of(order[:half]), of(order[half:])
		fill(e.Support, c, support, draw(rng, len(support), s.shot))
		fill(e.Query, c, query, draw(rng, len(query), s.query))
	}
	return e
}

// Episodes returns the first n episodes.
func (s *Sampler) Episodes(n int) []Episode {
	episodes := make([]Episode, n)
	for i := range episodes {
		episodes[i] = s.Episode(i)
	}
	return episodes
}

// draw returns k different numbers below n in random order: the first k steps of a Fisher–Yates
// shuffle that stores only the moved entries.
func draw(rng *rand.Rand, n, k int) []int {
	moved := make(map[int]int, k)
	at := func(i int) int {
		if v, ok := moved[i]; ok {
			return v
		}
		return i
	}
	drawn := make([]int, k)
	for i := range drawn {
		j := i + rng.IntN(n-i)
		drawn[i] = at(j)
		moved[j] = at(i)
	}
	return drawn
}

// scramble spreads consecutive numbers over all 64 bits (the finalizer of SplitMix64), because the
// generator's streams of consecutive seeds begin alike.
func scramble(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// NewGroupSampler is NewSampler for episodes whose support and queries share no group, for example
// no speaker. The group of an image is its file name up to the first separator: the speaker "theo"
// of "7/theo_3.mp3" for "_". It shuffles the groups for each episode: the first half provides the
// support, the second half the queries. Within its groups, every image of a class is equally likely,
// without repetition.
//
// # Errors
//
// The same as NewSampler; a file name without the separator; a single group; a class with too few
// images in its smallest half of the groups.
func NewGroupSampler(set *Set, classes []string, way, shot, query int, seed uint64, separator string) (*Sampler, error) {
	s, err := NewSampler(set, classes, way, shot, query, seed)
	if err != nil {
		return nil, err
	}
	s.byGroup = make(map[string]map[string][]Picture)
	for _, class := range classes {
		groups := make(map[string][]Picture)
		for _, p := range set.pictures[class] {
			group, _, found := strings.Cut(path.Base(p.Name), separator)
			if !found || separator == "" {
				return nil, fmt.Errorf("%s: the name of %s has no %q, which ends the group", set.name, p.Name, separator)
			}
			groups[group] = append(groups[group], p)
			if !slices.Contains(s.groups, group) {
				s.groups = append(s.groups, group)
			}
		}
		s.byGroup[class] = groups
	}
	slices.Sort(s.groups)
	if len(s.groups) < 2 {
		return nil, fmt.Errorf("%s: all file names begin with %s%s: want at least two groups", set.name, s.groups[0], separator)
	}
	return s, s.checkHalves()
}

// checkHalves returns an error if a class has too few images in some half of the groups.
func (s *Sampler) checkHalves() error {
	for _, class := range s.classes {
		var sizes []int
		for _, group := range s.groups {
			sizes = append(sizes, len(s.byGroup[class][group]))
		}
		slices.Sort(sizes)
		for _, half := range []struct {
			groups, want int
			one, many    string
		}{{len(s.groups) / 2, s.shot, "shot", "shots"}, {len(s.groups) - len(s.groups)/2, s.query, "query", "queries"}} {
			have := 0
			for _, n := range sizes[:half.groups] {
				have += n
			}
			if have < half.want {
				return fmt.Errorf("%s: class %s has only %s in %d of its %d groups, an episode needs %s from as many: add some or use fewer",
					s.set.name, class, plural.Count(have, "image", "images"), half.groups, len(s.groups), plural.Count(half.want, half.one, half.many))
			}
		}
	}
	return nil
}

// Groups returns the names of the groups, sorted; nil without groups.
func (s *Sampler) Groups() []string { return s.groups }
