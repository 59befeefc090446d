package data

import (
	"archive/zip"
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/bombs"
	"github.com/deepemd/deepemd/internal/require"
)

func TestParseSplit(t *testing.T) {
	s := require.Value(parseSplit("s.json", []byte("\ufeff"+`{"train": ["a", "b"], "test": ["c"]}`)))(t)
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
		if _, err := parseSplit("s.json", []byte(text)); err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "s.json: ") {
			t.Errorf("%s: error %v, want one of s.json that says %q", text, err, want)
		}
	}
	if _, _, err := readSplit("absent.json"); err == nil || !strings.Contains(err.Error(), "absent.json") {
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
		s, _, err := readSplit(require.Shared(t, test.split))
		if err != nil {
			t.Error(err)
			continue
		}
		if got := [3]int{len(s.Train), len(s.Val), len(s.Test)}; got != test.sizes {
			t.Errorf("%s: parts of %v classes, want %v", test.split, got, test.sizes)
		}
		set := open(t, require.Shared(t, test.set))
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
		bombs.Budget(t, 1<<20, 512, len(raw), func() { s, err = parseSplit("s.json", raw) })
		if err == nil && len(s.Train)+len(s.Val)+len(s.Test) == 0 {
			t.Error("a split without classes was accepted")
		}
	})
}

// Disks and archives of macOS hold accented letters decomposed. Texts may name classes and images in both forms.
func TestAccents(t *testing.T) {
	const composed, decomposed = "caf\u00e9", "cafe\u0301"
	for _, disk := range []string{composed, decomposed} {
		for _, text := range []string{composed, decomposed} {
			image := disk + "/" + disk + ".png"
			content := map[string]string{image: dot(t, 1), "split.json": `{"train": ["` + text + `"]}`, "words.json": `{"` + text + `": "coffee"}`}
			s := open(t, writeFolder(t, content))
			train := require.Value(s.Split().Subset("train"))(t)
			if err := s.Require(train); err != nil || s.Label(train[0]) != "coffee" {
				t.Errorf("%+q on disk, %+q in texts: %v, the label %q", disk, text, err, s.Label(train[0]))
			}
			if p, err := s.Find(text + "/" + text + ".jpg"); err != nil || p.Name != image {
				t.Errorf("%+q on disk, %+q in an episode: %+v, %v", disk, text, p, err)
			}
			content = map[string]string{image: dot(t, 1), "train.csv": "filename,label\n" + text + "/" + text + ".jpg,drink\n"}
			set, err := OpenSplit(writeFolder(t, content), "")
			if err != nil || len(set.Pictures("drink")) != 1 {
				t.Errorf("%+q on disk, %+q in a list: %v", disk, text, err)
			}
		}
	}
}

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
		Unlabeled: {"2/bee/2.png": 60, "2/fox/1.png": 50},
	} {
		if got := len(s.Pictures(class)); got != len(want) {
			t.Errorf("%s has %d pictures, want %d", class, got, len(want))
		}
		for range 2 {
			for _, p := range s.Pictures(class) {
				img, err := s.Image(p.Name)
				if err != nil || p.Class != class || img.Pix[0] != want[p.Name] {
					t.Errorf("%+v: pixel %v, want %d, %v", p, img, want[p.Name], err)
				}
			}
		}
	}
	all := slices.Concat(s.Pictures("fox"), s.Pictures(Unlabeled))
	if print, err := s.Fingerprint(all); err != nil || len(print) == 0 {
		t.Errorf("fingerprint %q, %v", print, err)
	}
	if size := s.Size("1/elk/1.png"); size != int64(len(dot(t, 40))) {
		t.Errorf("a file of %d bytes", size)
	}
	for _, name := range []string{"3/fox/1.png", "fox/1.png", "x"} {
		if _, err := s.Image(name); err == nil || s.Size(name) != -1 {
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

// FuzzOpen opens data sets in zip archives, which people download: archives of any
// bytes, and ones whose entries have any names and one content.
func FuzzOpen(f *testing.F) {
	entries := []bombs.Entry{
		{Name: "train/fox/a.png", Content: bombs.PNG(8)}, {Name: "test/owl/b.png", Content: bombs.PNG(8)},
		{Name: "words.json", Content: []byte(`{"fox": "red fox"}`)}, {Name: "split.json", Content: []byte(`{"train": ["fox"], "val": [], "test": ["owl"]}`)},
	}
	f.Add(bombs.Archive(entries...), "", []byte{})
	for _, names := range []string{
		"images.txt\nclasses.txt\nimages/001.Kite/a.jpg", "train.csv\nval.csv\ntest.csv\nimages/n01.jpg", "words.json\na/b.png", "split.json\na/b.png",
		"../a/b.png\n/a/c.png\na//d.png\n./a/e.png\na\\f.png\na/b.png/c.png", "a/.png\n.a/b.png\n/\n\na/b.png\na/b.png",
	} {
		f.Add([]byte{}, names, []byte("filename,label\nn01.jpg,fox\n"))
		f.Add([]byte{}, names, []byte(`{"train": ["a"]}`))
		f.Add([]byte{}, names, []byte("1 001.Kite/a.jpg\n"))
	}
	path := filepath.Join(f.TempDir(), "set.zip")
	f.Fuzz(func(t *testing.T, raw []byte, names string, content []byte) {
		if len(raw) == 0 {
			raw = packed(t, strings.Split(names, "\n"), content)
		}
		require.NoError(t, os.WriteFile(path, raw, 0o600))
		// Deflate expands up to a thousandfold, and a list needs a few copies.
		bombs.Budget(t, 8<<20, 8192, len(raw), func() {
			set, err := OpenSplit(path, "")
			if err != nil {
				return
			}
			for _, class := range set.Classes() {
				pictures := set.Pictures(class)
				if class == "" || len(pictures) == 0 {
					t.Errorf("class %q has %d pictures", class, len(pictures))
				}
				if m, err := set.Image(pictures[0].Name); err == nil && len(m.Pix) != 3*m.Width*m.Height {
					t.Errorf("%s is %d×%d with %d values", pictures[0].Name, m.Width, m.Height, len(m.Pix))
				}
			}
			if err := set.Close(); err != nil {
				t.Error(err)
			}
		})
	})
}

// packed returns an archive whose entries have those names and the same content.
func packed(t *testing.T, names []string, content []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, name := range names {
		to, err := w.Create(name)
		if err == nil && !strings.HasSuffix(name, "/") {
			_, err = to.Write(content)
		}
		if err != nil {
			t.Skip(err)
		}
	}
	require.NoError(t, w.Close())
	return out.Bytes()
}
