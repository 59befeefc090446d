package evaluate

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/namedfile"
	"github.com/deepemd/deepemd/internal/plural"
	"github.com/deepemd/deepemd/tools/deepemd/internal/flags"
	"github.com/deepemd/deepemd/trainer/data"
	"github.com/deepemd/deepemd/trainer/evaluate"
)

type episodeFlags struct {
	episodes   string
	part       flags.Part
	way, query int
	shot       shots
	seed       uint64
	apart      string
}

func (f *episodeFlags) register(set *pflag.FlagSet) {
	set.StringVar(&f.episodes, "episodes", "600", "number of episodes to draw, or a JSON file that lists them")
	f.shot = shots{1}
	set.Var(&f.shot, "shot", "examples per class; 1:20 gives the classes of an episode 1 and 20 in turn")
	f.part.Register(set, ownSplit)
	set.IntVar(&f.way, "way", 5, "classes in an episode")
	set.IntVar(&f.query, "query", 15, "queries per class")
	set.Uint64Var(&f.seed, "seed", 0, "seed of the drawn episodes (default 0)")
	set.StringVar(&f.apart, "apart", "", "take queries from other groups than the examples; the group of a file is its name up to this text, such as the speaker of theo_3.wav for _")
}

// ownSplit describes the classes without --split.
const ownSplit = "the split that comes with the data, or all classes"

type episodeList struct {
	episodes  []data.Episode
	way       int
	source    string       // for messages
	classes   []string     // from which unknown images are drawn
	strangers [][]string   // unknown images by episode, if requested
	facts     weights.Meta // the normalization that the list states
	listed    bool         // in a file instead of drawn
}

// removeUnreadable removes the episodes with images that have no features, and states this in the source.
func (l *episodeList) removeUnreadable(features evaluate.Features) error {
	all := *l
	l.episodes, l.strangers = nil, nil
	for i, e := range all.episodes {
		one := episodeList{episodes: []data.Episode{e}}
		if all.strangers != nil {
			one.strangers = all.strangers[i : i+1]
		}
		if !slices.ContainsFunc(one.names(), func(name string) bool { return features[name] == nil }) {
			l.episodes, l.strangers = append(l.episodes, e), append(l.strangers, one.strangers...)
		}
	}
	if len(l.episodes) == 0 {
		return fmt.Errorf("%s: every episode has an image that cannot be read: is the copy complete?", l.source)
	}
	if left := len(all.episodes) - len(l.episodes); left > 0 {
		l.source = fmt.Sprintf("%s without %s with images that cannot be read", l.source, plural.Count(left, "episode", "episodes"))
	}
	return nil
}

// queries returns the lowest and the highest number of queries of an episode, and that of all together.
func (l *episodeList) queries() (least, most, all int) {
	least = len(l.episodes[0].Query)
	for _, e := range l.episodes {
		n := len(e.Query)
		least, most, all = min(least, n), max(most, n), all+n
	}
	return least, most, all
}

// between formats a number that differs between episodes, or not.
func between(least, most int, one, many string) string {
	if least == most {
		return plural.Count(most, one, many)
	}
	return fmt.Sprintf("%d to %d %s", least, most, many)
}

func (l *episodeList) names() []string {
	names := data.Names(l.episodes)
	for _, strangers := range l.strangers {
		names = append(names, strangers...)
	}
	return names
}

// list draws or reads the episodes. given reports whether a flag was set.
func (f *episodeFlags) list(set *data.Set, given func(flag string) bool) (*episodeList, error) {
	if n, err := strconv.Atoi(f.episodes); err == nil {
		return f.draw(set, n, given)
	}
	if err := flags.Refuse(given, "cannot be combined with a file of episodes: remove it, or give --episodes a number", "split", "set", "seed", "apart"); err != nil {
		return nil, err
	}
	if len(f.shot) > 1 {
		return nil, fmt.Errorf("--shot %v: classes of a listed episode have one number of examples: leave out the others, or give --episodes a number", f.shot)
	}
	list, err := readEpisodes(f.episodes, f.shot.max())
	if err != nil {
		return nil, err
	}
	if given("way") && f.way != list.way {
		return nil, fmt.Errorf("--way %d: the episodes of %s have %d classes", f.way, f.episodes, list.way)
	}
	list.classes = set.Classes()
	for i, e := range list.episodes {
		if q := len(e.Query) / list.way; given("query") && f.query != q {
			return nil, fmt.Errorf("--query %d: episode %d of %s has %s per class", f.query, i+1, f.episodes, plural.Count(q, "query", "queries"))
		}
		if err := set.Check(e, list.way); err != nil {
			return nil, fmt.Errorf("%s: episode %d: %w", f.episodes, i+1, err)
		}
	}
	return list, nil
}

// maxEpisodes is far more than any interval needs.
const maxEpisodes = 1_000_000

// checkEpisodes returns an error for an invalid number of episodes, the value of a flag.
func checkEpisodes(flag string, n, least, way, shot, query int) error {
	switch {
	case n < least:
		return fmt.Errorf("%s %d: want at least %d", flag, n, least)
	case n > maxEpisodes:
		// A string header has 16 bytes.
		names := 16 * float64(n) * float64(way) * (float64(shot) + float64(query))
		return fmt.Errorf("%s %d: want %d at most; the names of their images alone would take %s of memory", flag, n, maxEpisodes, plural.Bytes(names))
	}
	return nil
}

// draw draws n episodes from a set that was opened with the split.
func (f *episodeFlags) draw(set *data.Set, n int, given func(flag string) bool) (*episodeList, error) {
	if err := checkEpisodes("--episodes", n, 1, f.way, f.shot.max(), f.query); err != nil {
		return nil, err
	}
	classes, err := f.part.Classes(set, given)
	if err != nil {
		return nil, err
	}
	source := "all classes"
	if split := set.Split(); split != nil {
		source = fmt.Sprintf("%s classes (%s, seed %d)", f.part.Name, split.Name(), f.seed)
	}
	var sampler *data.Sampler
	if f.apart == "" {
		sampler, err = data.NewSampler(set, classes, f.way, f.shot.max(), f.query, f.seed)
	} else if sampler, err = data.NewGroupSampler(set, classes, f.way, f.shot.max(), f.query, f.seed, f.apart); err != nil {
		err = fmt.Errorf("--apart: %w", err)
	} else {
		source = fmt.Sprintf("%s, queries of other groups than the examples (%d groups)", source, len(sampler.Groups()))
	}
	if err != nil {
		return nil, err
	}
	list := &episodeList{way: f.way, source: source, classes: classes, episodes: sampler.Episodes(n)}
	for i, e := range list.episodes {
		list.episodes[i] = f.shot.keep(e, i, f.way)
	}
	return list, nil
}

// readEpisodes reads a list of episodes with its normalization, the optional entry "preprocess".
func readEpisodes(path string, shot int) (*episodeList, error) {
	raw, err := namedfile.Read(path, namedfile.MaxText)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("--episodes %s: neither a number nor an existing file", path)
	}
	if err != nil {
		return nil, err
	}
	raw = namedfile.WithoutMark(raw)
	name := filepath.Base(path)
	list := &episodeList{source: name, listed: true}
	if list.episodes, list.way, err = data.ParseEpisodes(name, raw, shot); err != nil {
		return nil, err
	}
	var beside struct {
		Preprocess struct{ Mean, Std [3]float32 }
	}
	if json.Unmarshal(raw, &beside) == nil { // other forms are ignored
		list.facts = weights.Meta{Mean: beside.Preprocess.Mean, Std: beside.Preprocess.Std}
	}
	return list, nil
}

// shots is the number of examples per class: one for all classes, or several that the classes of an
// episode take in turn. A flag separates them with colons, 1:20.
type shots []int

// String implements pflag.Value.
func (s shots) String() string {
	var parts []string
	for _, n := range s {
		parts = append(parts, strconv.Itoa(n))
	}
	return strings.Join(parts, ":")
}

// Set implements pflag.Value.
func (s *shots) Set(text string) error {
	var numbers shots
	for part := range strings.SplitSeq(text, ":") {
		n, err := strconv.Atoi(part)
		if err != nil || n < 1 {
			return fmt.Errorf("%q: want a number above zero, or several with colons, such as 1:20", text)
		}
		numbers = append(numbers, n)
	}
	*s = numbers
	return nil
}

// Type implements pflag.Value.
func (s shots) Type() string { return "numbers" }

func (s shots) max() int { return slices.Max(s) }

// keep reduces the examples of an episode, whose classes have the highest number of examples. The
// first class has the next number in every episode, so that on average the numbers are equally
// frequent.
func (s shots) keep(e data.Episode, number, way int) data.Episode {
	if len(s) == 1 {
		return e
	}
	counts := make([]int, way)
	for c := range counts {
		counts[c] = s[(number+c)%len(s)]
	}
	return e.Keep(counts)
}
