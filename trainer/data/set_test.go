package data

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/deepemd/deepemd/internal/require"
)

// dot returns the PNG file of an image of one gray pixel.
func dot(t testing.TB, gray uint8) string {
	t.Helper()
	img := image.NewGray(image.Rect(0, 0, 1, 1))
	img.SetGray(0, 0, color.Gray{Y: gray})
	var buf bytes.Buffer
	require.NoError(t, png.Encode(&buf, img))
	return buf.String()
}

// animals returns a small data set: its files by name.
func animals(t testing.TB) map[string]string {
	return map[string]string{
		"train/fox/red_1.png":           dot(t, 1),
		"train/fox/red_2.png":           dot(t, 2),
		"test/fox/gray_1.PNG":           dot(t, 3),
		"train/owl/1.png":               dot(t, 4),
		"test/owl/1.png":                dot(t, 5),
		"test/owl/broken.jpg":           "not an image",
		"test/owl/notes.txt":            "passed over",
		"words.json":                    `{"fox": "fox, Vulpes"}`,
		".DS_Store":                     "",
		"__MACOSX/train/fox/._red1.png": "",
		"train/fox/._red_1.png":         "",
	}
}

// writeFolder puts files into a new folder.
func writeFolder(t testing.TB, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, content := range files {
		file := filepath.Join(root, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o777))
		require.NoError(t, os.WriteFile(file, []byte(content), 0o666))
	}
	return root
}

// writeZip puts files into a new zip archive.
func writeZip(t testing.TB, files map[string]string) string {
	t.Helper()
	var buf bytes.Buffer
	w := zip.NewWriter(&buf)
	for name, content := range files {
		f, err := w.Create(name)
		if err == nil {
			_, err = f.Write([]byte(content))
		}
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	file := filepath.Join(t.TempDir(), "animals.zip")
	require.NoError(t, os.WriteFile(file, buf.Bytes(), 0o666))
	return file
}

// open opens a set until the test ends.
func open(t testing.TB, path string) *Set {
	t.Helper()
	s := require.Value(OpenSplit(path, ""))(t)
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// Folder and archive give the same set.
func TestOpen(t *testing.T) {
	files := animals(t)
	for _, path := range []string{writeFolder(t, files), writeZip(t, files)} {
		s := open(t, path)
		if got := fmt.Sprint(s.Classes()); got != "[fox owl]" {
			t.Errorf("%s: classes %s, want [fox owl]", s.Name(), got)
		}
		want := []Picture{{"fox", "test/fox/gray_1.PNG"}, {"fox", "train/fox/red_1.png"}, {"fox", "train/fox/red_2.png"}}
		if got := s.Pictures("fox"); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: foxes %v, want %v", s.Name(), got, want)
		}
		if got := s.Pictures("cat"); got != nil {
			t.Errorf("%s: cats %v, want none", s.Name(), got)
		}
		if fox, owl := s.Label("fox"), s.Label("owl"); fox != "fox, Vulpes" || owl != "owl" {
			t.Errorf("%s: labels %q and %q", s.Name(), fox, owl)
		}
		img, err := s.Image("train/fox/red_2.png")
		if err != nil || img.Width != 1 || img.Height != 1 || !bytes.Equal(img.Pix, []byte{2, 2, 2}) {
			t.Errorf("%s: red_2 is %v, %v, want one pixel of gray 2", s.Name(), img, err)
		}
		_, err = s.Image("owl/broken")
		if want := s.Name() + ": test/owl/broken.jpg: "; err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: a broken picture: error %v, want one that starts with %q", s.Name(), err, want)
		}
	}
}

func TestOpenFollowsLinks(t *testing.T) {
	root := writeFolder(t, map[string]string{"owl/1.png": dot(t, 1)})
	foxes := filepath.Join(writeFolder(t, map[string]string{"red/1.png": dot(t, 2)}), "red")
	for link, target := range map[string]string{"fox": foxes, "circle": root, "nowhere": "absent"} {
		if err := os.Symlink(target, filepath.Join(root, link)); err != nil {
			t.Skip("no symbolic links here:", err)
		}
	}
	s := open(t, root)
	if got := fmt.Sprint(s.Classes()); got != "[fox owl]" {
		t.Errorf("classes %s, want [fox owl]", got)
	}
}

// A folder's images count once, in the class of the folder's name, however many links lead to it.
func TestOpenVisitsFoldersOnce(t *testing.T) {
	root := writeFolder(t, map[string]string{"owl/1.png": dot(t, 1), "owl/near/2.png": dot(t, 2), "fox/1.png": dot(t, 3)})
	links := map[string]string{"a-link": "owl", "owl/up": "..", "fox/up": "..", "owl/near/again": "../near"}
	for i := range 12 {
		links[fmt.Sprint("again", i)] = "."
	}
	for link, target := range links {
		if err := os.Symlink(target, filepath.Join(root, link)); err != nil {
			t.Skip("no symbolic links here:", err)
		}
	}
	s := open(t, root)
	if got := fmt.Sprint(s.Classes(), len(s.Pictures("fox")), len(s.Pictures("owl"))); got != "[fox owl] 1 2" {
		t.Errorf("%s, want [fox owl] 1 2", got)
	}
}

// Folders whose names are not UTF-8 stay different classes, and their files are read.
func TestOpenEscapesNames(t *testing.T) {
	s := open(t, writeZip(t, map[string]string{"caf\xe9/1.png": dot(t, 1), "caf\xe8/1.png": dot(t, 2), "tea/1.png": dot(t, 3)}))
	if got := fmt.Sprint(s.Classes()); got != `[caf\xe8 caf\xe9 tea]` {
		t.Errorf("classes %s", got)
	}
	for _, class := range s.Classes() {
		if _, err := s.Image(s.Pictures(class)[0].Name); err != nil {
			t.Error(err)
		}
	}
}

// A name with an accent is one class, however its letters are written.
func TestOpenComposesNames(t *testing.T) {
	s := open(t, writeZip(t, map[string]string{"caf\u00e9/1.png": dot(t, 1), "cafe\u0301/2.png": dot(t, 2), "tea/1.png": dot(t, 3)}))
	if got := fmt.Sprint(s.Classes(), len(s.Pictures("caf\u00e9"))); got != "[caf\u00e9 tea] 2" {
		t.Errorf("%s, want one café", got)
	}
}

func TestOpenRefuses(t *testing.T) {
	file := filepath.Join(t.TempDir(), "notes.txt")
	require.NoError(t, os.WriteFile(file, []byte("hello"), 0o666))
	half := writeZip(t, map[string]string{"a/1.png": dot(t, 1)})
	require.NoError(t, os.Truncate(half, 60))
	for path, want := range map[string]string{
		filepath.Join(t.TempDir(), "absent"): "is the path right?",
		file:                                 "neither a folder nor a readable zip archive",
		half:                                 "a zip archive that is cut off or damaged",
		os.DevNull:                           "is a pipe or a device",
		writeFolder(t, nil):                  "no images or sounds (JPEG, PNG, WebP, BMP, GIF, TIFF, MP3, WAV): give a folder or zip archive that has some",
		writeZip(t, map[string]string{"a/readme.txt": ""}):                   "no images",
		writeFolder(t, map[string]string{"1.png": "", "2.jpg": ""}):          "2 images, but none in a folder",
		writeFolder(t, map[string]string{"a/1.png": "", "words.json": "[]"}): "words.json is not a JSON map",
	} {
		s, err := OpenSplit(path, "")
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%v, error %v, want one of %s that says %q", s, err, path, want)
		}
	}
}

// A folder that cannot be read is named where images are missing.
func TestUnreadFolder(t *testing.T) {
	const want = " that can be read (fox (permission denied) is a folder that cannot be read)"
	if _, err := list(locked{folder(t.TempDir())}); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v", err)
	}
	root := writeFolder(t, map[string]string{"fox/1.png": ""})
	require.NoError(t, os.Chmod(filepath.Join(root, "fox"), 0))
	t.Cleanup(func() { _ = os.Chmod(filepath.Join(root, "fox"), 0o700) })
	if _, err := os.ReadDir(filepath.Join(root, "fox")); err == nil {
		t.Skip("this user, such as root, can read every folder")
	}
	if _, err := OpenUnclassified(root); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("images: error %v", err)
	}
	if _, err := OpenExamples(root); err == nil || !strings.Contains(err.Error(), "no images or recordings"+want) {
		t.Errorf("examples: error %v", err)
	}
}

// locked is a folder with an unreadable one.
type locked struct{ folder }

func (locked) list() (files []string, unreadable []Left, err error) {
	return nil, []Left{{"fox (permission denied)", "a folder that cannot be read"}}, nil
}

func TestFind(t *testing.T) {
	s := open(t, writeZip(t, animals(t)))
	for _, test := range []struct{ name, want string }{
		{"train/fox/red_1.png", "train/fox/red_1.png"},
		{"train/fox/red_1.webp", "train/fox/red_1.png"},
		{"train/fox/red_1", "train/fox/red_1.png"},
		{"fox/red_1.jpg", "train/fox/red_1.png"},
		{"val/fox/red_1.png", "train/fox/red_1.png"},
		{`.\train\fox\red_1.png`, "train/fox/red_1.png"},
		{"../../fox/gray_1.png", "test/fox/gray_1.PNG"},
		{"test/owl/1.png", "test/owl/1.png"},
		{"owl/1.png", "animals.zip: owl/1.png may be test/owl/1.png or train/owl/1.png: give the full name"},
		{"fox/red_3.png", "animals.zip: no image fox/red_3.png: are the names of this data set?"},
		{"red_1.png", "animals.zip: no image red_1.png: are the names of this data set?"},
		{"", "animals.zip: no image : are the names of this data set?"},
	} {
		p, err := s.Find(test.name)
		got := p.Name
		if err != nil {
			got = err.Error()
		}
		if got != test.want {
			t.Errorf("Find(%q) = %s, want %s", test.name, got, test.want)
		}
	}
	if runtime.GOOS == "windows" {
		return // names there have no backslashes
	}
	s = open(t, writeFolder(t, files(`fox/photos\1.png`, `fox/2\xe9.png`)))
	for _, name := range []string{`fox/photos\1.png`, `fox/2\xe9.png`} {
		if p, err := s.Find(name); err != nil || p.Name != name {
			t.Errorf("Find(%q) = %s, error %v", name, p.Name, err)
		}
	}
}

func TestRequire(t *testing.T) {
	s := open(t, writeZip(t, animals(t)))
	if err := s.Require([]string{"owl", "fox"}); err != nil {
		t.Error(err)
	}
	err := s.Require([]string{"a", "fox", "b", "c", "d", "e", "f"})
	want := "animals.zip: lacks 6 of 7 classes: a, b, c, d, e and 1 more: is it the data set of that split?"
	if err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

func TestKeepDecoded(t *testing.T) {
	s := open(t, writeZip(t, animals(t)))
	same := func(name string) bool {
		a := require.Value(s.Image(name))(t)
		b := require.Value(s.Image(name))(t)
		return a == b
	}
	if same("fox/red_1") {
		t.Error("a picture was kept without being asked to")
	}
	s.cache.room.Store(7)
	if !same("fox/red_1") || !same("fox/red_2") {
		t.Error("the first two pictures were not kept")
	}
	if same("fox/gray_1") {
		t.Error("a picture was kept beyond the limit")
	}
}

func TestImageConcurrently(t *testing.T) {
	s := open(t, writeZip(t, animals(t)))
	s.KeepDecoded()
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 20 {
				for _, p := range s.Pictures("fox") {
					if _, err := s.Image(p.Name); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	wg.Wait()
}

func TestOpenShared(t *testing.T) {
	for _, test := range []struct {
		name              string
		classes, pictures int
		side              int
	}{
		{"datasets/cifar100.zip", 100, 60_000, 32},
		{"datasets/tiny-imagenet.zip", 200, 50*300 + 150*10, 64},
	} {
		s := open(t, require.Shared(t, test.name))
		if len(s.Classes()) != test.classes {
			t.Errorf("%s: %d classes, want %d", test.name, len(s.Classes()), test.classes)
		}
		pictures := 0
		for _, class := range s.Classes() {
			pictures += len(s.Pictures(class))
		}
		if pictures != test.pictures {
			t.Errorf("%s: %d pictures, want %d", test.name, pictures, test.pictures)
		}
		img, err := s.Image(s.Pictures(s.Classes()[0])[0].Name)
		if err != nil || img.Width != test.side || img.Height != test.side {
			t.Errorf("%s: first picture %v: want %d×%d", test.name, err, test.side, test.side)
		}
	}
	s := open(t, require.Shared(t, "datasets/tiny-imagenet.zip"))
	if got := s.Label("n01443537"); got != "goldfish, Carassius auratus" {
		t.Errorf("class n01443537 is %q", got)
	}
}

func TestNamed(t *testing.T) {
	pictures := []Picture{{"fox", "b"}, {"elk", "c.png"}, {"fox", "a"}, {"elk", "d.png"}, {"owl", "e"}}
	s := require.Value(NamesOnly("f.npy", pictures, ""))(t)
	defer s.Close()
	for _, p := range []Picture{{"", "a"}, {"fox", ""}} {
		if _, err := NamesOnly("f.npy", []Picture{{"fox", "b"}, p}, ""); err == nil || !strings.HasPrefix(err.Error(), "f.npy: an image without") {
			t.Errorf("%+v: error %v", p, err)
		}
	}
	if want := []string{"fox", "elk", "owl"}; !reflect.DeepEqual(s.Classes(), want) {
		t.Errorf("classes %v, want %v", s.Classes(), want)
	}
	if want := []Picture{{"fox", "a"}, {"fox", "b"}}; !reflect.DeepEqual(s.Pictures("fox"), want) {
		t.Errorf("pictures %v, want %v", s.Pictures("fox"), want)
	}
	if p, err := s.Find("elk/c.webp"); err != nil || p.Name != "c.png" {
		t.Errorf("found %v, %v", p, err)
	}
	if _, err := s.Image("a"); err == nil || !strings.Contains(err.Error(), "only the image's name is known") {
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
		"f.npy: no images":                          nil,
		"f.npy: an image without a name or a class": {{"fox", "a"}, {"", "b"}},
	} {
		if _, err := NamesOnly("f.npy", pictures, ""); err == nil || err.Error() != want {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	if _, err := NamesOnly("f.npy", []Picture{{"elk", "a"}}, filepath.Join(dir, "gone.json")); err == nil {
		t.Error("a split that is not there: no error")
	}
}

// TestDigest: the digest hashes the file's content, in folders and archives, and absent files are
// reported as such.
func TestDigest(t *testing.T) {
	files := animals(t)
	for _, root := range []string{writeFolder(t, files), writeZip(t, files)} {
		s := require.Value(OpenSplit(root, ""))(t)
		for _, name := range []string{"train/owl/1.png", "test/owl/notes.txt"} {
			if got := require.Value(s.Digest(name))(t); got != sha256.Sum256([]byte(files[name])) {
				t.Errorf("%s: digest %x", name, got)
			}
		}
		for _, name := range []string{"train/owl/2.png", "train/owl/1.png/1.png"} {
			if _, err := s.Digest(name); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%s: error %v", name, err)
			}
		}
		require.NoError(t, s.Close())
	}
}

// TestRemove: pictures can be removed, and a class with its last one.
func TestRemove(t *testing.T) {
	s := require.Value(OpenSplit(writeFolder(t, animals(t)), ""))(t)
	defer s.Close()
	s.Remove([]string{"train/fox/red_1.png", "train/owl/1.png", "test/owl/1.png", "test/owl/broken.jpg"})
	if names := fmt.Sprint(s.Classes(), len(s.Pictures("fox")), len(s.Pictures("owl"))); names != "[fox] 2 0" {
		t.Errorf("the set has %s", names)
	}
	if _, err := s.Find("train/owl/1.png"); err == nil {
		t.Error("a removed picture is found")
	}
}

// TestUnconverted: pictures whose color profiles are not applied are listed once they are read.
func TestUnconverted(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{"icc-lut.png", "icc-p3.png"} {
		raw := require.Value(os.ReadFile(require.Shared(t, "cases/pictures/"+name)))(t)
		require.NoError(t, os.MkdirAll(filepath.Join(root, "a"), 0o777))
		require.NoError(t, os.WriteFile(filepath.Join(root, "a", name), raw, 0o666))
	}
	s := require.Value(OpenSplit(root, ""))(t)
	defer s.Close()
	for _, p := range s.Pictures("a") {
		require.Value(s.Image(p.Name))(t)
	}
	if names := fmt.Sprint(s.Unconverted()); names != "[a/icc-lut.png]" {
		t.Errorf("not applied: %s", names)
	}
}

// The fingerprint changes with the size and the time of a file, in a zip with its content.
func TestFingerprint(t *testing.T) {
	print := func(path string) string {
		s := open(t, path)
		if size, none := s.Size("owl/1.png"), s.Size("owl/2.png"); size != 3 || none != -1 {
			t.Errorf("%s: %d bytes, and %d of an absent file", path, size, none)
		}
		if _, err := s.Fingerprint([]Picture{{"owl", "owl/2.png"}}); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: an absent file: error %v", path, err)
		}
		return require.Value(s.Fingerprint(slices.Concat(s.Pictures("fox"), s.Pictures("owl"))))(t)
	}
	files := map[string]string{"fox/1.png": "one", "owl/1.png": "two"}
	path := writeFolder(t, files)
	before := print(path)
	if again := print(path); again != before {
		t.Error("the fingerprint of a folder changes by itself")
	}
	require.NoError(t, os.Chtimes(filepath.Join(path, "fox/1.png"), time.Unix(1, 0), time.Unix(1, 0)))
	if print(path) == before {
		t.Error("the fingerprint of a folder does not depend on times")
	}
	other := map[string]string{"fox/1.png": "eno", "owl/1.png": "two"}
	if zipped := print(writeZip(t, files)); print(writeZip(t, files)) != zipped || print(writeZip(t, other)) == zipped {
		t.Error("the fingerprint of a zip does not depend on its content alone")
	}
}

// A closed zip cannot be read.
func TestClose(t *testing.T) {
	path := writeZip(t, map[string]string{"fox/1.png": dot(t, 10)})
	opened := func() *Set { return require.Value(OpenSplit(path, ""))(t) }
	s, joined := opened(), require.Value(Join([]*Set{opened(), opened()}, nil))(t)
	e := require.Value(OpenExamples(path))(t)
	require.NoError(t, errors.Join(s.Close(), joined.Close(), e.Close()))
	if _, err := s.Image("fox/1.png"); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("a picture of a closed set: error %v", err)
	}
	if _, err := joined.Image("1/fox/1.png"); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("a picture of closed joined sets: error %v", err)
	}
	if _, err := e.Read("fox/1.png"); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("a file of closed examples: error %v", err)
	}
}
