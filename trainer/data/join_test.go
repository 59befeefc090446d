package data

import (
	"slices"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
)

// Pictures of joined sets keep their own pixels, classes of one name become one, and of the
// sets without labels no class is left.
func TestJoin(t *testing.T) {
	sets := []*Set{
		open(t, writeFolder(t, map[string]string{"fox/1.png": dot(t, 10), "owl/1.png": dot(t, 20), "words.json": `{"fox": "fox, Vulpes"}`})),
		open(t, writeZip(t, map[string]string{"fox/1.png": dot(t, 30), "elk/1.png": dot(t, 40)})),
		open(t, writeFolder(t, map[string]string{"fox/1.png": dot(t, 50), "bee/2.png": dot(t, 60)})),
	}
	s := require.Value(Join(sets[:2], sets[2:]))(t)
	if got := s.Classes(); !slices.Equal(got, []string{"elk", "fox", "owl"}) || s.Label("fox") != "fox, Vulpes" {
		t.Errorf("classes %q, the words for fox %q", got, s.Label("fox"))
	}
	s.KeepDecoded()
	for class, want := range map[string]map[string]uint8{
		"fox": {"0/fox/1.png": 10, "1/fox/1.png": 30}, "owl": {"0/owl/1.png": 20}, "elk": {"1/elk/1.png": 40},
		Unlabelled: {"2/bee/2.png": 60, "2/fox/1.png": 50},
	} {
		if got := len(s.Pictures(class)); got != len(want) {
			t.Errorf("%s has %d pictures, want %d", class, got, len(want))
		}
		for range 2 { // the second time they come from memory
			for _, p := range s.Pictures(class) {
				img, err := s.Image(p.Name)
				if err != nil || p.Class != class || img.Pix[0] != want[p.Name] {
					t.Errorf("%+v: pixel %v, want %d, %v", p, img, want[p.Name], err)
				}
			}
		}
	}
	all := slices.Concat(s.Pictures("fox"), s.Pictures(Unlabelled))
	if print, err := s.Fingerprint(all); err != nil || len(print) == 0 {
		t.Errorf("fingerprint %q, %v", print, err)
	}
	for _, name := range []string{"3/fox/1.png", "fox/1.png", "x"} {
		if _, err := s.Image(name); err == nil {
			t.Errorf("%s is a picture", name)
		}
	}
	if alone, err := Join(sets[:1], nil); err != nil || alone != sets[0] {
		t.Errorf("one set alone becomes another: %v", err)
	}
	if _, err := Join(nil, sets); err == nil {
		t.Error("a set of pictures without labels alone")
	}
}
