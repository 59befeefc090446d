package data

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
)

// spoken is a set of classes a, b, … said by speakers s0, s1, … takes times each.
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
		{1, 1, "-", "no \"-\" in its name"},
		{1, 1, "", "no \"\" in its name"},
		{4, 1, "_", "only 3 pictures in 1 of its 2 groups"},
		{1, 4, "_", "queries"},
		{1, 1, ".", "groups"},
		{3, 4, "_", "takes 7"},
	} {
		s, err := NewGroupSampler(set, set.Classes(), 5, c.shot, c.query, 1, c.separator)
		if c.want == "groups" && err == nil && len(s.Groups()) == 6 {
			continue // "s0_0" and the like are groups, too
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want it refused", c, err)
		}
	}
	one := spoken(t, 5, 1, 3)
	if _, err := NewGroupSampler(one, one.Classes(), 5, 1, 1, 1, "_"); err == nil || !strings.Contains(err.Error(), "two groups") {
		t.Errorf("%v: want one group refused", err)
	}
}
