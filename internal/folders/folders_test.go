package folders

import (
	"encoding/json"
	"os"
	"slices"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
)

func TestPlaces(t *testing.T) {
	for name, c := range map[string]struct{ paths, want []string }{
		"classes":               {[]string{"cat/1.png", "dog/1.png"}, []string{" cat", " dog"}},
		"folders of classes":    {[]string{"cat/a/1.png", "cat/b/1.png", "dog/a/1.png"}, []string{" cat", " cat", " dog"}},
		"at any depth":          {[]string{"cat/1.png", "cat/a/b/c/d/e/f/g/h/i/2.png", "dog/1.png"}, []string{" cat", " cat", " dog"}},
		"parts":                 {[]string{"train/cat/a/1.png", "val/dog/b/1.png", "Meta_Test/owl/1.png"}, []string{"train cat", "val dog", "test owl"}},
		"one part":              {[]string{"train/cat/1.png", "train/dog/b/1.png"}, []string{" cat", " dog"}},
		"a class called train":  {[]string{"train/a/1.png", "car/a/1.png"}, []string{" train", " car"}},
		"more beside parts":     {[]string{"train/cat/1.png", "test/owl/a/1.png", "more/dog/1.png"}, []string{"train cat", "test owl", " more"}},
		"parts hold pictures":   {[]string{"train/1.png", "test/2.png"}, []string{" train", " test"}},
		"all in one more":       {[]string{"set/cat/1.png", "set/dog/a/1.png"}, []string{" cat", " dog"}},
		"and parts in that":     {[]string{"set/train/cat/1.png", "set/test/dog/1.png"}, []string{"train cat", "test dog"}},
		"one class":             {[]string{"cat/1.png", "cat/2.png"}, []string{" cat", " cat"}},
		"one class, and deeper": {[]string{"set/cat/1.png", "set/cat/a/2.png"}, []string{" cat", " cat"}},
		"images":                {[]string{"n1/images/1.png", "n2/images/1.png"}, []string{" n1", " n2"}},
		"loose beside classes":  {[]string{"set/cat/1.png", "set/dog/1.png", "set/1.png"}, []string{" cat", " dog", " "}},
		"loose beside one":      {[]string{"cat/1.png", "cat/a/1.png"}, []string{" cat", " cat"}},
		"loose in a part":       {[]string{"train/cat/1.png", "train/dog/1.png", "train/1.png", "test/owl/1.png"}, []string{"train cat", "train dog", "train ", "test owl"}},
		"loose beside parts":    {[]string{"train/cat/1.png", "test/owl/1.png", "1.png"}, []string{"train cat", "test owl", " "}},
		"a class beside train":  {[]string{"train/a/1.png", "train/1.png", "test/owl/1.png"}, []string{" train", " train", " test"}},
		"no folder":             {[]string{"1.png", "cat/2.png"}, []string{" ", " cat"}},
		"unclean":               {[]string{"./cat/1.png", "/cat/2.png", "dog//1.png", "cat/../dog/2.png"}, []string{" cat", " cat", " dog", " dog"}},
		"nothing":               {nil, nil},
	} {
		var got []string
		for _, p := range Places(c.paths) {
			got = append(got, p.Part+" "+p.Class)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// TestHidden reads the table that the studio's script is tested with, too.
func TestHidden(t *testing.T) {
	var files struct{ Hidden, Seen []string }
	require.NoError(t, json.Unmarshal(require.Value(os.ReadFile("testdata/hidden.json"))(t), &files))
	for _, path := range files.Hidden {
		if !Hidden(path) {
			t.Errorf("%s is taken for a person's own", path)
		}
	}
	for _, path := range files.Seen {
		if Hidden(path) {
			t.Errorf("%s is hidden", path)
		}
	}
	if len(files.Hidden) == 0 || len(files.Seen) == 0 {
		t.Error("the table is empty")
	}
}

func TestText(t *testing.T) {
	for name, want := range map[string]string{"café": "café", "caf\xe9": `caf\xe9`, "caf\xe8/1.png": `caf\xe8/1.png`, "": "", "\xff\xc3(": `\xff\xc3(`} {
		if got := Text(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}
