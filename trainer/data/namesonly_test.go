package data

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
)

func TestNamed(t *testing.T) {
	pictures := []Picture{{"fox", "b"}, {"elk", "c.png"}, {"fox", "a"}, {"elk", "d.png"}, {"owl", "e"}}
	s := require.Value(NamesOnly("f.npy", pictures, ""))(t)
	defer s.Close()
	if want := []string{"fox", "elk", "owl"}; !reflect.DeepEqual(s.Classes(), want) {
		t.Errorf("classes %v, want %v", s.Classes(), want)
	}
	if want := []Picture{{"fox", "a"}, {"fox", "b"}}; !reflect.DeepEqual(s.Pictures("fox"), want) {
		t.Errorf("pictures %v, want %v", s.Pictures("fox"), want)
	}
	if p, err := s.Find("elk/c.webp"); err != nil || p.Name != "c.png" {
		t.Errorf("found %v, %v", p, err)
	}
	if _, err := s.Image("a"); err == nil || !strings.Contains(err.Error(), "only the picture's name is known") {
		t.Errorf("a picture that is not at hand: error %v", err)
	}
	if _, err := NewSampler(s, s.Classes()[:2], 2, 1, 1, 0); err != nil {
		t.Error(err)
	}
}

// A set by names gives the episodes of the pictures that the names are of.
func TestNamedDrawsTheSameEpisodes(t *testing.T) {
	set := numbered(t, 6, 8)
	classes := []string{"e", "b", "a", "f"}
	var pictures []Picture
	for _, class := range classes {
		pictures = append(pictures, set.Pictures(class)...)
	}
	named := require.Value(NamesOnly("f.npy", pictures, ""))(t)
	want := require.Value(NewSampler(set, classes, 3, 2, 4, 5))(t)
	got := require.Value(NewSampler(named, named.Classes(), 3, 2, 4, 5))(t)
	for i := range 20 {
		if !reflect.DeepEqual(got.Episode(i), want.Episode(i)) {
			t.Fatalf("episode %d differs", i)
		}
	}
}

func TestNamedSplits(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"split.json": `{"train": ["fox"], "test": ["owl", "elk"]}`,
		"test.csv":   "filename,label\n1.jpg,owl\n2.jpg,elk\n",
	} {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
		s, err := NamesOnly("f.npy", []Picture{{"elk", "a"}, {"owl", "b"}}, path)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if test, err := s.Split().Subset("test"); err != nil || len(test) != 2 {
			t.Errorf("%s: test classes %v, %v", name, test, err)
		}
	}
	for want, pictures := range map[string][]Picture{
		"f.npy: no pictures":                         nil,
		"f.npy: a picture without a name or a class": {{"fox", "a"}, {"", "b"}},
	} {
		if _, err := NamesOnly("f.npy", pictures, ""); err == nil || err.Error() != want {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	if _, err := NamesOnly("f.npy", []Picture{{"elk", "a"}}, filepath.Join(dir, "gone.json")); err == nil {
		t.Error("a split that is not there: no error")
	}
}
