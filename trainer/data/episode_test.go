package data

import (
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/deepemd/deepemd/internal/bombs"
	"github.com/deepemd/deepemd/internal/cluster"
	"github.com/deepemd/deepemd/internal/require"
)

func TestParseEpisodes(t *testing.T) {
	text := `{"sfc": {"lr": 0.1}, "episodes_1shot": [{"support": ["a/1", "b/1"], "query": ["a/2", "b/2", "a/3", "b/3"]}],
		"episodes_2shot": [{"support": ["a/1", "b/1", "c/1", "a/2", "b/2", "c/2"], "query": ["a/3", "b/3", "c/3"]}]}`
	for shot, want := range map[int]string{
		1: "2-way [{[a/1 b/1] [a/2 b/2 a/3 b/3]}]",
		2: "3-way [{[a/1 b/1 c/1 a/2 b/2 c/2] [a/3 b/3 c/3]}]",
	} {
		episodes, way, err := ParseEpisodes("e.json", []byte(text), shot)
		if got := fmt.Sprintf("%d-way %v", way, episodes); err != nil || got != want {
			t.Errorf("%d shots: %s, %v, want %s", shot, got, err, want)
		}
	}
}

func TestNames(t *testing.T) {
	episodes := []Episode{{Support: []string{"a", "", "b"}, Query: []string{"c", "a"}}, {Support: []string{"b"}, Query: []string{"d"}}}
	if got := Names(episodes); !slices.Equal(got, []string{"a", "b", "c", "d"}) {
		t.Errorf("names %q", got)
	}
}

func TestParseEpisodesRefuses(t *testing.T) {
	list := func(episodes string) string { return `{"episodes_2shot": [` + episodes + `]}` }
	good := `{"support": ["a", "b", "a", "b"], "query": ["a", "b"]}`
	for text, want := range map[string]string{
		``:   "not a list of episodes",
		`[]`: `not a list of episodes, {"episodes_2shot": [{"support": ["a/1.png"`,
		`{}`: "no episodes_2shot; it has no episodes",
		list(`{"support": ["a", null, "a", "b"], "query": ["a", "b"]}`):                        "number 1: a support image without a name",
		list(`{"support": ["a", "b", "a", "b"], "query": ["a", ""]}`):                          "number 1: a query without a name",
		`{"episodes_1shot": [], "episodes_5shot": []}`:                                         "no episodes_2shot; it has episodes_1shot, episodes_5shot",
		`{"episodes_2shot": 3}`:                                                                "episodes_2shot: ",
		list(``):                                                                               "episodes_2shot is empty",
		list(`{}`):                                                                             "number 1: 0 support images",
		list(`{"support": ["a", "a"], "query": ["a"]}`):                                        "want at least two classes",
		list(`{"support": ["a", "b", "c", "d", "e"], "query": ["a", "b"]}`):                    "5 support images, want 4 (2 classes, 2 shots)",
		list(`{"support": ["a", "b", "a", "b"], "query": []}`):                                 "0 queries",
		list(`{"support": ["a", "b", "a", "b"], "query": ["a", "b", "a"]}`):                    "3 queries, want the same number for each of 2 classes",
		list(good + `, {"support": ["a", "b", "c", "a", "b", "c"], "query": ["a", "b", "c"]}`): "number 2: 6 support images, want 4",
	} {
		if _, _, err := ParseEpisodes("e.json", []byte(text), 2); err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "e.json: ") {
			t.Errorf("%s: error %v, want one of e.json that says %q", text, err, want)
		}
	}
	if _, _, err := ParseEpisodes("e.json", []byte(`{"episodes_0shot": [`+good+`]}`), 0); err == nil {
		t.Error("episodes of 0 shots were accepted")
	}
}

func TestStrangersRefuses(t *testing.T) {
	s := numbered(t, 4, 3)
	e := Episode{Support: []string{s.Pictures(s.Classes()[0])[0].Name, s.Pictures(s.Classes()[1])[0].Name}}
	if names, err := Strangers(s, s.Classes(), e, 2, 3, 1, 0); err != nil || len(names) != 6 || slices.Contains(s.ClassesOf(names), s.Classes()[0]) {
		t.Errorf("strangers %v, error %v", names, err)
	}
	for _, test := range []struct {
		episode       Episode
		ways, queries int
		want          string
	}{
		{e, 3, 1, "2 classes are left outside an episode, want 3"},
		{e, 2, 4, "has 3 images, want 4"},
		{Episode{Support: []string{"absent"}}, 1, 1, "no image absent"},
	} {
		if _, err := Strangers(s, s.Classes(), test.episode, test.ways, test.queries, 1, 0); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("error %v, want one that says %q", err, test.want)
		}
	}
}

func TestCheck(t *testing.T) {
	s := open(t, writeZip(t, animals(t)))
	for _, test := range []struct {
		episode Episode
		want    string
	}{
		{Episode{[]string{"fox/red_1", "train/owl/1"}, []string{"fox/red_2", "test/owl/1"}}, ""},
		{Episode{[]string{"fox/red_1", "train/owl/1"}, []string{"test/owl/1", "fox/red_2"}},
			"animals.zip: query image 1 (test/owl/1) is of class owl, its position requires fox: want the first of each class, then the second"},
		{Episode{[]string{"fox/red_1", "fox/red_2"}, []string{"fox/gray_1", "fox/gray_1"}},
			"animals.zip: support image 2 (fox/red_2): class fox is in the episode already"},
		{Episode{[]string{"fox/red_1", "cat/1"}, nil},
			"animals.zip: no image cat/1: are the names of this data set?"},
	} {
		err := s.Check(test.episode, 2)
		if got := fmt.Sprint(err); (err != nil || test.want != "") && got != test.want {
			t.Errorf("%v: error %v, want %q", test.episode, err, test.want)
		}
	}
}

// Every image of the reference's episodes is found, with any extension.
func TestParseEpisodesShared(t *testing.T) {
	for _, test := range []struct {
		file, set   string
		shot, count int
	}{
		{"reference/reference.json", "datasets/cifar100.zip", 1, 60},
		{"reference/reference.json", "datasets/cifar100.zip", 5, 6},
		{"reference/resnet12-s-tiny.json", "datasets/tiny-imagenet.zip", 1, 40},
	} {
		raw := require.Value(os.ReadFile(require.Shared(t, test.file)))(t)
		episodes, way, err := ParseEpisodes(test.file, raw, test.shot)
		if err != nil {
			t.Error(err)
			continue
		}
		if way != 5 || len(episodes) != test.count {
			t.Errorf("%s, %d shots: %d episodes of %d ways, want %d of 5", test.file, test.shot, len(episodes), way, test.count)
		}
		set := open(t, require.Shared(t, test.set))
		for i, e := range episodes {
			if err := set.Check(e, way); err != nil {
				t.Errorf("%s, %d shots, number %d: %v", test.file, test.shot, i+1, err)
			}
		}
	}
}

func FuzzParseEpisodes(f *testing.F) {
	f.Add([]byte(`{"episodes_1shot": [{"support": ["a/1", "b/1"], "query": ["a/2", "b/2"]}]}`), 1)
	for _, text := range []string{
		`{"episodes_1shot": [{"support": [null, "b/1"], "query": ["a/2", null]}]}`, `{"episodes_1shot": [null]}`, `{"episodes_1shot": null}`,
		`{"episodes_1shot": {}, "episodes_5shot": []}`, `{"episodes_9223372036854775807shot": [{"support": ["a"], "query": ["a"]}]}`, `[]`, ``, `{`,
		`{"episodes_1shot": [{"support": ["a", "b"], "query": ["a", "b"]}, {"support": ["a", "b", "c"], "query": ["a"]}]}`,
	} {
		f.Add([]byte(text), 1)
		f.Add([]byte(text), math.MaxInt)
	}
	f.Add([]byte(`{"episodes_2shot": [{}]}`), 2)
	f.Fuzz(func(t *testing.T, raw []byte, shot int) {
		var episodes []Episode
		var way int
		var err error
		bombs.Budget(t, 1<<20, 1024, len(raw), func() { episodes, way, err = ParseEpisodes("e.json", raw, shot) })
		if err != nil {
			return
		}
		for _, e := range episodes {
			if way < 2 || len(e.Support) != way*shot || len(e.Query) == 0 || len(e.Query)%way != 0 || slices.Contains(e.Support, "") || slices.Contains(e.Query, "") {
				t.Errorf("accepted %d ways, %d shots, %d support, %d queries", way, shot, len(e.Support), len(e.Query))
			}
		}
	})
}

// Each class keeps its own number of examples, and the queries stay the same.
func TestKeep(t *testing.T) {
	even := Episode{
		Support: []string{"a/1", "b/1", "c/1", "a/2", "b/2", "c/2", "a/3", "b/3", "c/3"},
		Query:   []string{"a/4", "b/4", "c/4"},
	}
	uneven := even.Keep([]int{1, 9, 2})
	classes, err := uneven.ByClass(3)
	if got, want := fmt.Sprint(classes), "[[a/1] [b/1 b/2 b/3] [c/1 c/2]]"; err != nil || got != want {
		t.Errorf("%s, %v, want %s", got, err, want)
	}
	if fmt.Sprint(uneven.Query) != fmt.Sprint(even.Query) || even.Support[3] != "a/2" {
		t.Errorf("%v of %v: want the same queries, and the episode as it was", uneven, even)
	}
	for want, e := range map[string]Episode{
		"8 support images cannot be divided into 3 classes": {Support: even.Support[:8]},
		"0 support images":                     {},
		"class 2 of an episode has no support": even.Keep([]int{1, 0, 2}),
	} {
		if _, err := e.ByClass(3); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one that says %q", err, want)
		}
	}
}

// TestAgree: all ranks return the error of the first one that has one.
func TestAgree(t *testing.T) {
	damaged := &Damaged{Set: "birds", Name: "owl/1.png", Err: errors.New("no image")}
	for name, c := range map[string]struct {
		errs [3]error
		want string
	}{
		"none":    {},
		"damaged": {[3]error{nil, damaged, errors.New("other")}, "rank 1: birds: owl/1.png: no image"},
		"any":     {[3]error{nil, nil, errors.New("full")}, "rank 2: full"},
	} {
		got := make([]error, 3)
		var wait sync.WaitGroup
		for rank, g := range cluster.InProcess(3) {
			wait.Go(func() { got[rank] = cluster.AgreeOnError(g, c.errs[rank]) })
		}
		wait.Wait()
		for rank, err := range got {
			if (err != nil) != (c.want != "") {
				t.Errorf("%s: rank %d returns %v", name, rank, err)
			}
			var d *Damaged
			if name == "damaged" && (!errors.As(err, &d) || d.Name != damaged.Name) {
				t.Errorf("rank %d does not know the damaged picture: %v", rank, err)
			}
		}
		if c.want != "" && got[0].Error() != c.want {
			t.Errorf("%s: rank 0 returns %v, want %s", name, got[0], c.want)
		}
	}
}
