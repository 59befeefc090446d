package data

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
)

// numbered returns a set of classes a, b, … of n images each.
func numbered(t testing.TB, classes, n int) *Set {
	files := make(map[string]string)
	for c := range classes {
		for i := range n {
			files[fmt.Sprintf("%c/%02d.png", 'a'+c, i)] = ""
		}
	}
	return open(t, writeZip(t, files))
}

func TestSampler(t *testing.T) {
	set := numbered(t, 8, 20)
	classes := []string{"g", "b", "a", "c", "e", "d"}
	s := require.Value(NewSampler(set, classes, 5, 2, 3, 7))(t)
	drawn := make(map[string]int)
	const episodes = 2000
	for i := range episodes {
		e := s.Episode(i)
		require.NoError(t, set.Check(e, 5))
		if len(e.Support) != 10 || len(e.Query) != 15 {
			t.Fatalf("%d support and %d query pictures, want 10 and 15", len(e.Support), len(e.Query))
		}
		all := slices.Concat(e.Support, e.Query)
		for _, name := range all {
			drawn[name]++
			if !slices.Contains(classes, name[:1]) {
				t.Fatalf("%s is of none of the classes", name)
			}
		}
		slices.Sort(all)
		if len(slices.Compact(all)) != 25 {
			t.Fatalf("a picture occurs twice in %v", e)
		}
	}
	// Every image is drawn equally often: a class in 5 of 6 episodes, then a
	// image in 5 of 20. Six standard deviations of the binomial leave room.
	for name, n := range drawn {
		if want := 2000 * 5.0 / 6 * 5 / 20; float64(n) < want-110 || float64(n) > want+110 {
			t.Errorf("%s was drawn %d times, want about %.0f", name, n, want)
		}
	}
	if len(drawn) != 6*20 {
		t.Errorf("%d different pictures were drawn, want all 120", len(drawn))
	}
}

func TestSamplerRepeats(t *testing.T) {
	set := numbered(t, 6, 9)
	sampler := func(seed uint64) *Sampler {
		s := require.Value(NewSampler(set, set.Classes(), 3, 1, 1, seed))(t)
		return s
	}
	a, b, other := sampler(1), sampler(1), sampler(2)
	late := b.Episode(9) // the order of the calls does not matter
	if !reflect.DeepEqual(a.Episode(9), late) || !reflect.DeepEqual(a.Episode(3), b.Episode(3)) {
		t.Error("the same seed and number gave other episodes")
	}
	if reflect.DeepEqual(a.Episode(3), other.Episode(3)) || reflect.DeepEqual(a.Episode(3), a.Episode(4)) {
		t.Error("another seed or number gave the same episode")
	}
	// Published results are repeated by seed, so the sequence may never change.
	got := fmt.Sprint(a.Episode(0), a.Episode(1))
	want := "{[f/07.png e/02.png a/07.png] [f/02.png e/03.png a/04.png]} {[e/00.png c/06.png a/06.png] [e/02.png c/04.png a/01.png]}"
	if got != want {
		t.Errorf("seed 1 gives %s, want %s", got, want)
	}
}

func TestNewSamplerRefuses(t *testing.T) {
	set := numbered(t, 4, 5)
	all := set.Classes()
	for _, test := range []struct {
		classes          []string
		way, shot, query int
		want             string
	}{
		{all, 1, 1, 1, "want at least 2 ways"},
		{all, 2, 0, 1, "want at least 2 ways, 1 shot"},
		{all, 2, 1, 0, "1 query"},
		{all, 5, 1, 1, "animals.zip: 5-way episodes of 4 classes: add classes"},
		{all, 2, 1, 5, "animals.zip: an episode needs 6 images of a class (1 shot, 5 queries), but a has 5, b has 5, c has 5, d has 5: add some"},
		{all, 2, 1, math.MaxInt, "(1 shot, "},
		{all, 2, math.MaxInt, math.MaxInt, "an episode needs "},
		{[]string{"a", "x"}, 2, 1, 1, "animals.zip: lacks 1 of 2 classes: x"},
		{[]string{"a", "x"}, 5, 1, 1, "animals.zip: lacks 1 of 2 classes: x"}, // not too few classes
		{[]string{"a", "a"}, 2, 1, 1, "animals.zip: class a is given twice"},
	} {
		_, err := NewSampler(set, test.classes, test.way, test.shot, test.query, 0)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v, %d ways, %d shots, %d queries: error %v, want one that says %q",
				test.classes, test.way, test.shot, test.query, err, test.want)
		}
	}
}

// spoken returns a set of classes a, b, … said by speakers s0, s1, … takes times each.
func spoken(t *testing.T, classes, speakers, takes int) *Set {
	files := make(map[string]string)
	for c := range classes {
		for s := range speakers {
			for i := range takes {
				files[fmt.Sprintf("%c/s%d_%d.wav", 'a'+c, s, i)] = ""
			}
		}
	}
	return open(t, writeZip(t, files))
}

func TestGroupSampler(t *testing.T) {
	set := spoken(t, 7, 6, 5)
	s := require.Value(NewGroupSampler(set, set.Classes(), 5, 5, 15, 3, "_"))(t)
	if got := strings.Join(s.Groups(), " "); got != "s0 s1 s2 s3 s4 s5" {
		t.Fatalf("groups %s", got)
	}
	taught := make(map[string]int)
	for i := range 300 {
		e := s.Episode(i)
		require.NoError(t, set.Check(e, 5))
		speakers := func(names []string) (all []string) {
			for _, name := range names {
				all = append(all, name[2:4])
			}
			slices.Sort(all)
			return slices.Compact(all)
		}
		asked := speakers(e.Query)
		if len(asked) != 3 {
			t.Fatalf("queries of %v, want three speakers", asked)
		}
		for _, speaker := range speakers(e.Support) {
			taught[speaker]++
			if slices.Contains(asked, speaker) {
				t.Fatalf("episode %d: %s teaches and asks", i, speaker)
			}
		}
		all := slices.Sorted(slices.Values(slices.Concat(e.Support, e.Query)))
		if n := len(slices.Compact(all)); n != 100 {
			t.Fatalf("%d different recordings, want 100", n)
		}
		if again := s.Episode(i); !slices.Equal(again.Query, e.Query) {
			t.Fatalf("episode %d differs when it is drawn again", i)
		}
	}
	for speaker, n := range taught {
		if n < 110 || n > 190 {
			t.Errorf("%s teaches in %d of 300 episodes, want about half", speaker, n)
		}
	}
}

func TestGroupSamplerRefuses(t *testing.T) {
	set := spoken(t, 5, 2, 3)
	for _, c := range []struct {
		shot, query int
		separator   string
		want        string
	}{
		{1, 1, "-", "has no \"-\""},
		{1, 1, "", "has no \"\""},
		{4, 1, "_", "only 3 images in 1 of its 2 groups"},
		{1, 4, "_", "queries"},
		{1, 1, ".", "groups"},
		{3, 4, "_", "needs 7"},
	} {
		s, err := NewGroupSampler(set, set.Classes(), 5, c.shot, c.query, 1, c.separator)
		if c.want == "groups" && err == nil && len(s.Groups()) == 6 {
			continue // "s0_0" and the like are groups, too
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want it refused", c, err)
		}
	}
	uneven := open(t, writeZip(t, files("a/s0_0.wav", "a/s0_1.wav", "a/s1_0.wav", "b/s0_0.wav", "b/s1_0.wav", "b/s1_1.wav")))
	if _, err := NewGroupSampler(uneven, uneven.Classes(), 2, 2, 1, 1, "_"); err == nil || !strings.Contains(err.Error(), "only 1 image in 1 of its 2 groups") {
		t.Errorf("%v: want a group with too few images refused", err)
	}
	one := spoken(t, 5, 1, 3)
	if _, err := NewGroupSampler(one, one.Classes(), 5, 1, 1, 1, "_"); err == nil || !strings.Contains(err.Error(), "two groups") {
		t.Errorf("%v: want one group refused", err)
	}
}
