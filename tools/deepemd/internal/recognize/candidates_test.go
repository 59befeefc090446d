package recognize

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestParseCandidates(t *testing.T) {
	id := func(n int) candidate { return candidate{ID: n} }
	name := func(s string) candidate { return candidate{Name: s} }
	for text, want := range map[string][]candidate{
		`[3, 0, "a/b.jpg", "7"]`:       {id(3), id(0), name("a/b.jpg"), name("7")},
		"  [1]\n":                      {id(1)},
		"4\n\n  17 \r\na b.jpg\n- 1\n": {id(4), id(17), name("a b.jpg"), name("- 1")},
		"9":                            {id(9)},
		"\ufeff8\n":                    {id(8)},
		"{\"id\": 4, \"score\": 0.5}\n{\"name\": \"a.jpg\"}\n\"7\"": {id(4), name("a.jpg"), name("7")},
		`[{"id": 1}]`: {id(1)},
	} {
		if got, err := parseCandidates([]byte(text)); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %v, error %v, want %v", text, got, err, want)
		}
	}
	for text, want := range map[string]string{
		"":                     "no candidates",
		"[]":                   "no candidates",
		"[1, 2":                "unexpected end",
		"[1, null]":            "candidate 2 is null",
		"[1.5]":                "candidate 1 is 1.5",
		"[-1]":                 "candidate 1 is -1",
		"[99999999999]":        "candidate 1 is 99999999999",
		`[""]`:                 `candidate 1 is ""`,
		"1\n-1\n":              "candidate 2 is -1",
		`{"result": [1]}`:      `candidate 1 is {"result": [1]}`,
		"3\n{\"id\": 1":        `candidate 2 is {"id": 1`,
		"[1] and then nothing": "want ids or names",
	} {
		if got, err := parseCandidates([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, error %v, want one that says %q", text, got, err, want)
		}
	}
}

func TestPicturesOf(t *testing.T) {
	x := sixPictures(t)
	got, err := picturesOf(x, []candidate{{ID: 4}, {Name: "ö/3.png"}, {ID: 4}, {ID: 0}, {ID: 3}})
	if err != nil || !slices.Equal(got, []int{4, 3, 0}) {
		t.Errorf("%v, error %v", got, err)
	}
	for want, c := range map[string]candidate{
		"no picture 6, ids end at 5":      {ID: 6},
		"picture 2 (ö/2.png) was removed": {ID: 2},
		"no picture is called ö/2.png":    {Name: "ö/2.png"},
		"no picture is called none":       {Name: "none"},
	} {
		if _, err := picturesOf(x, []candidate{{ID: 1}, c}); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "--export") {
			t.Errorf("%v: error %v, want one that says %q", c, err, want)
		}
	}
	x = indexOf(t, "lat\xe9in.png", "two\nlines\xff.png", "removed.png", `lat\xe9in.png`)
	got, err = picturesOf(x, []candidate{{Name: "two\nlines\\xff.png"}, {Name: "lat\xe9in.png"}, {Name: `lat\xe9in.png`}, {Name: `two\nlines\xff.png`}})
	if err != nil || !slices.Equal(got, []int{1, 0, 3}) {
		t.Errorf("names as they are written: %v, error %v", got, err)
	}
}
