package data

import (
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/bombs"
	"github.com/deepemd/deepemd/internal/golden"
	"github.com/deepemd/deepemd/internal/require"
)

func TestParseSplit(t *testing.T) {
	s := require.Value(ParseSplit("s.json", []byte(`{"train": ["a", "b"], "test": ["c"]}`)))(t)
	for _, test := range []struct{ subset, want string }{
		{"train", "a b"},
		{"test", "c"},
		{"val", "s.json: no classes in val"},
		{"dev", `s.json: no part "dev": want train, val or test`},
	} {
		classes, err := s.Subset(test.subset)
		got := strings.Join(classes, " ")
		if err != nil {
			got = err.Error()
		}
		if got != test.want {
			t.Errorf("Subset(%s) = %s, want %s", test.subset, got, test.want)
		}
	}
}

func TestParseSplitRefuses(t *testing.T) {
	for text, want := range map[string]string{
		``:                                     "not a split",
		`["a"]`:                                "not a split",
		`{"training": ["a"]}`:                  `unknown field "training"`,
		`{"train": ["a"]} {}`:                  "more text",
		`{}`:                                   "no classes in train, val or test",
		`{"train": [""]}`:                      "a class of train has no name",
		`{"train": ["a", "a"]}`:                `class "a" is in train and in train`,
		`{"train": ["a"], "test": ["b", "a"]}`: `class "a" is in train and in test`,
		`{"train": [1]}`:                       "not a split",
	} {
		if _, err := ParseSplit("s.json", []byte(text)); err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "s.json: ") {
			t.Errorf("%s: error %v, want one of s.json that says %q", text, err, want)
		}
	}
	if _, err := ReadSplit("absent.json"); err == nil || !strings.Contains(err.Error(), "absent.json") {
		t.Errorf("an absent file: error %v", err)
	}
}

func TestReadSplitShared(t *testing.T) {
	for _, test := range []struct {
		split, set string
		sizes      [3]int
	}{
		{"datasets/cifar-fs.json", "datasets/cifar100.zip", [3]int{64, 16, 20}},
		{"datasets/fc100.json", "datasets/cifar100.zip", [3]int{60, 20, 20}},
		{"datasets/tiny-imagenet.json", "datasets/tiny-imagenet.zip", [3]int{150, 20, 30}},
	} {
		s, err := ReadSplit(golden.Path(t, test.split))
		if err != nil {
			t.Error(err)
			continue
		}
		if got := [3]int{len(s.Train), len(s.Val), len(s.Test)}; got != test.sizes {
			t.Errorf("%s: parts of %v classes, want %v", test.split, got, test.sizes)
		}
		set := open(t, golden.Path(t, test.set))
		for _, classes := range [][]string{s.Train, s.Val, s.Test} {
			if err := set.Require(classes); err != nil {
				t.Error(err)
			}
		}
	}
}

func FuzzParseSplit(f *testing.F) {
	f.Add([]byte(`{"train": ["a", "b"], "val": [], "test": ["c"]}`))
	f.Add([]byte(`{"train": null}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		var s *Split
		var err error
		bombs.Budget(t, 1<<20, 512, len(raw), func() { s, err = ParseSplit("s.json", raw) })
		if err == nil && len(s.Train)+len(s.Val)+len(s.Test) == 0 {
			t.Error("a split without classes was accepted")
		}
	})
}
