package data_test

import (
	"archive/zip"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/trainer/data"
)

// things has two classes, and files to skip.
var things = map[string]string{
	"cup/1.jpg": "c1", "cup/2": "\xff\xd8\xff", "cup/Thumbs.db": "x", "cup/.DS_Store": "x",
	"pen/1.jpg": "p1", "cup/more/3.jpg": "c3", "pen/desktop.ini": "x",
	"readme.txt": "x", "__MACOSX/cup/._1.jpg": "x", ".git/config": "x",
}

// checkThings compares examples with things.
func checkThings(t *testing.T, e *data.Examples) {
	t.Helper()
	want := []data.ExampleClass{{Name: "cup", Files: []string{"cup/1.jpg", "cup/2", "cup/more/3.jpg"}}, {Name: "pen", Files: []string{"pen/1.jpg"}}}
	if !slices.EqualFunc(e.Classes, want, func(a, b data.ExampleClass) bool { return a.Name == b.Name && slices.Equal(a.Files, b.Files) }) {
		t.Errorf("classes %v, want %v", e.Classes, want)
	}
	if want := []data.Left{{Name: "readme.txt"}}; !slices.Equal(e.Left, want) {
		t.Errorf("%v are left, want %v", e.Left, want)
	}
	for _, c := range e.Classes {
		for _, file := range c.Files {
			if raw, err := e.Read(file); err != nil || string(raw) != things[file] {
				t.Errorf("%s holds %q, error %v", file, raw, err)
			}
		}
	}
}

func TestOpenExamples(t *testing.T) {
	dir := t.TempDir()
	for name, text := range things {
		writeFile(t, filepath.Join(dir, filepath.FromSlash(name)), text)
	}
	e := require.Value(data.OpenExamples(dir))(t)
	defer e.Close()
	checkThings(t, e)
	if path := e.Path("cup/2"); path != filepath.Join(dir, "cup", "2") {
		t.Errorf("cup/2 is called %s", path)
	}

	z := require.Value(data.OpenExamples(zipOf(t, "things.zip", things)))(t)
	defer z.Close()
	checkThings(t, z)
}

func TestOpenExamplesErrors(t *testing.T) {
	flat, hollow, phone, text := t.TempDir(), t.TempDir(), t.TempDir(), filepath.Join(t.TempDir(), "text")
	writeFile(t, filepath.Join(flat, "1.jpg"), "x")
	writeFile(t, filepath.Join(flat, ".git", "1.jpg"), "x")
	writeFile(t, filepath.Join(hollow, "cup", "1.jpg"), "x")
	writeFile(t, filepath.Join(hollow, "pen", "Thumbs.db"), "x")
	writeFile(t, filepath.Join(phone, "owl", "notes.txt"), "x")
	writeFile(t, filepath.Join(phone, "owl", "voice 1.m4a"), "\x00\x00\x00\x1cftypM4A ")
	writeFile(t, text, "x")
	for path, want := range map[string]string{
		flat: "no subfolders", hollow: "pen: the class has no images or recordings: add one",
		phone: "owl: the class has no images or recordings that can be read (voice 1.m4a is an M4A recording): add one", text: "neither a folder nor a readable zip archive",
		filepath.Join(flat, "gone"): "is the path right?",
	} {
		if _, err := data.OpenExamples(path); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: error %v, want one that says %q", path, err, want)
		}
	}
}

func TestFiles(t *testing.T) {
	dir := t.TempDir()
	for name, text := range things {
		writeFile(t, filepath.Join(dir, filepath.FromSlash(name)), text)
	}
	files, left, err := data.Files(dir)
	if readme := filepath.Join(dir, "readme.txt"); !slices.Equal(left, []data.Left{{Name: readme}}) {
		t.Errorf("left %v, want %s", left, readme)
	}
	var want []string
	for _, name := range []string{"cup/1.jpg", "cup/2", "cup/more/3.jpg", "pen/1.jpg"} {
		want = append(want, filepath.Join(dir, filepath.FromSlash(name)))
	}
	if err != nil || !slices.Equal(files, want) {
		t.Errorf("%v, error %v, want %v", files, err, want)
	}
	one := filepath.Join(dir, "cup", ".DS_Store") // which is meant where it is named
	if files, _, err := data.Files(one); err != nil || !slices.Equal(files, []string{one}) {
		t.Errorf("%v, error %v, want the file itself", files, err)
	}
	cups := []string{filepath.Join(dir, "cup", "1.jpg"), filepath.Join(dir, "cup", "more", "3.jpg")}
	for pattern, want := range map[string][]string{"cup/?.jpg": cups[:1], "cup/mo*": cups[1:], "*/*.jpg": {cups[0], filepath.Join(dir, "pen", "1.jpg")}} {
		if files, _, err := data.Files(filepath.Join(dir, filepath.FromSlash(pattern))); err != nil || !slices.Equal(files, want) {
			t.Errorf("%s: %v, error %v, want %v", pattern, files, err, want)
		}
	}
	if _, _, err := data.Files(filepath.Join(dir, "*.png")); err == nil || !strings.HasSuffix(err.Error(), "*.png: no file matches: is the path right?") {
		t.Errorf("error %v", err)
	}
	if _, _, err := data.Files(filepath.Join(dir, "gone")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v", err)
	}
}

// TestFilesOfPatterns: a bracket in a pattern stands for itself, only named hidden files count, and a link to
// nothing whose name looks like a pattern is an error.
func TestFilesOfPatterns(t *testing.T) {
	dir := t.TempDir()
	one := filepath.Join(dir, "cup [1]", "1.jpg")
	writeFile(t, one, "")
	writeFile(t, filepath.Join(dir, "cup [1]", ".DS_Store"), "")
	if files, _, err := data.Files(filepath.Join(dir, "cup [1]", "*")); err != nil || !slices.Equal(files, []string{one}) {
		t.Errorf("%v, error %v, want %s alone", files, err, one)
	}
	link := filepath.Join(dir, "*")
	if err := os.Symlink(filepath.Join(dir, "gone"), link); err != nil {
		t.Skip(err) // Windows
	}
	if files, _, err := data.Files(link); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v, error %v, want one of a file that does not exist", files, err)
	}
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
}

// zipOf writes an archive of texts.
func zipOf(t *testing.T, name string, files map[string]string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	out := require.Value(os.Create(path))(t)
	archive := zip.NewWriter(out)
	for name, text := range files {
		w := require.Value(archive.Create(name))(t)
		require.Value(w.Write([]byte(text)))(t)
	}
	require.NoError(t, errors.Join(archive.Close(), out.Close()))
	return path
}

// Projects of other programs are examples too. An unusable one is an error with the reason.
func TestExamplesOfOtherPrograms(t *testing.T) {
	e := require.Value(data.OpenExamples(zipOf(t, "hands.tm", map[string]string{
		"rock-!-0.jpg": "r0", "rock-!-10.jpg": "r10", "rock-!-2.jpg": "r2", "paper-!-0.jpg": "p0",
		"manifest.json": `{"type": "image", "version": "2.4.10", "appdata": {}}`,
	})))(t)
	defer e.Close()
	said := map[string]string{}
	for _, c := range e.Classes {
		for _, file := range c.Files {
			raw := require.Value(e.Read(file))(t)
			said[c.Name] += string(raw) + " "
		}
	}
	if len(said) != 2 || said["rock"] != "r0 r2 r10 " || said["paper"] != "p0 " {
		t.Errorf("the classes hold %q", said)
	}
	unnamed := require.Value(data.OpenExamples(zipOf(t, "pets.zip", map[string]string{
		"metadata.json": `{"labels": ["Dog", "Empty"]}`, "samples/0_0.png": "d", "samples/7_0.png": "x",
	})))(t)
	defer unnamed.Close()
	if got := unnamed.Classes; len(got) != 2 || got[0].Name != "Dog" || got[1].Name != "class 3" {
		t.Errorf("classes %+v, want Dog and class 3", got)
	}
	for name, c := range map[string]struct {
		files map[string]string
		want  string
	}{
		"pose.tm":    {map[string]string{"a-!-0.jpg": "x", "manifest.json": `{"type": "pose", "appdata": {}}`}, "Teachable Machine with poses"},
		"my.deepemd": {map[string]string{"manifest.json": `{"format": "deepemd-project", "version": 1}`}, "name it with --project"},
	} {
		if _, err := data.OpenExamples(zipOf(t, name, c.files)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one that says %q", name, err, c.want)
		}
	}
}

func ExampleParseEpisodes() {
	file := `{"episodes_1shot": [{"support": ["fox/1.png", "owl/1.png"],
		"query": ["fox/2.png", "owl/2.png", "fox/3.png", "owl/3.png"]}]}`
	episodes, way, err := data.ParseEpisodes("episodes.json", []byte(file), 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, query := range episodes[0].Query {
		fmt.Println(query, "belongs with", episodes[0].Support[i%way])
	}
	// Output:
	// fox/2.png belongs with fox/1.png
	// owl/2.png belongs with owl/1.png
	// fox/3.png belongs with fox/1.png
	// owl/3.png belongs with owl/1.png
}

func TestSample(t *testing.T) {
	var pictures []data.Picture
	for class, n := range map[string]int{"owl": 9, "fox": 5} {
		for i := range n {
			pictures = append(pictures, data.Picture{Class: class, Name: fmt.Sprintf("%s/%d", class, i)})
		}
	}
	set := require.Value(data.NamesOnly("birds", pictures, ""))(t)
	defer set.Close()
	classes := []string{"owl", "fox"}
	all, labels, err := set.Sample(classes, 0, 1)
	if err != nil || len(all) != 14 || all[0] != "owl/0" || all[13] != "fox/4" || labels[8] != 0 || labels[9] != 1 {
		t.Errorf("all: %v of %v, error %v", all, labels, err)
	}
	three, labels, err := set.Sample(classes, 3, 1)
	if err != nil || !slices.Equal(labels, []int{0, 0, 0, 1, 1, 1}) || !slices.IsSorted(three[:3]) || !slices.IsSorted(three[3:]) {
		t.Errorf("three each: %v of %v, error %v", three, labels, err)
	}
	if again, _, _ := set.Sample(classes, 3, 1); !slices.Equal(again, three) {
		t.Errorf("the same seed draws %v, then %v", three, again)
	}
	if _, _, err := set.Sample(classes, 6, 1); err == nil || !strings.Contains(err.Error(), "class fox has 5 images") {
		t.Errorf("six each: %v", err)
	}
	if got := set.ClassesOf([]string{"owl/3", "fox/0", "owl/1", "bat/0"}); !slices.Equal(got, []string{"fox", "owl"}) {
		t.Errorf("classes %v", got)
	}
}

func TestOpenUnclassified(t *testing.T) {
	pixel := require.Value(os.ReadFile("../../core/imaging/testdata/pictures/1x1-420.jpg"))(t)
	for name, test := range map[string]struct {
		files []string
		want  string
	}{
		"flat":    {[]string{"b.jpg", "a.jpg"}, ":a.jpg :b.jpg"},
		"classes": {[]string{"x/1.jpg", "y/1.jpg"}, "x:x/1.jpg y:y/1.jpg"},
		"mixed":   {[]string{"top.jpg", "x/1.jpg", "x/deep/2.jpg"}, ":top.jpg x:x/1.jpg x:x/deep/2.jpg"},
		"no list": {[]string{"train.csv", "1.jpg"}, ":1.jpg"},
	} {
		dir := t.TempDir()
		archive := filepath.Join(t.TempDir(), "set.zip")
		file := require.Value(os.Create(archive))(t)
		z := zip.NewWriter(file)
		for _, name := range append(test.files, ".hidden.jpg", "notes.txt") {
			path := filepath.Join(dir, name)
			require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
			require.NoError(t, os.WriteFile(path, pixel, 0o666))
			w := require.Value(z.Create(name))(t)
			require.Value(w.Write(pixel))(t)
		}
		require.NoError(t, z.Close())
		require.NoError(t, file.Close())
		for _, root := range []string{dir, archive} {
			set, err := data.OpenUnclassified(root)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			var got []string
			for _, class := range set.Classes() {
				for _, p := range set.Pictures(class) {
					got = append(got, fmt.Sprint(p.Class, ":", p.Name))
					if img, err := set.Image(p.Name); err != nil || img.Width != 1 {
						t.Errorf("%s: %s: %v", name, p.Name, err)
					}
				}
			}
			if joined := strings.Join(got, " "); joined != test.want {
				t.Errorf("%s of %s: %s, want %s", name, filepath.Base(root), joined, test.want)
			}
			if err := set.Close(); err != nil {
				t.Error(err)
			}
		}
	}
	for root, want := range map[string]string{
		t.TempDir():                                "no images",
		filepath.Join(t.TempDir(), "none"):         "is the path right?",
		"../../core/imaging/testdata/x.jpg":        "is the path right?",
		"../../core/imaging/testdata/cifar100.txt": "neither a folder nor a readable zip archive",
	} {
		if _, err := data.OpenUnclassified(root); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one that says %q", root, err, want)
		}
	}
}
