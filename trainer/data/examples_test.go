package data_test

import (
	"archive/zip"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/trainer/data"
)

func TestHidden(t *testing.T) {
	raw := require.Value(os.ReadFile(filepath.Join("testdata", "hidden.json")))(t)
	var files struct{ Hidden, Seen []string }
	require.NoError(t, json.Unmarshal(raw, &files))
	if len(files.Hidden) == 0 || len(files.Seen) == 0 {
		t.Fatal("the table is empty")
	}
	for _, path := range files.Hidden {
		if !data.Hidden(path) {
			t.Errorf("%s is taken for a person's own", path)
		}
	}
	for _, path := range files.Seen {
		if data.Hidden(path) {
			t.Errorf("%s is hidden", path)
		}
	}
}

// things are files of two classes among much that nobody means.
var things = map[string]string{
	"cup/1.jpg": "c1", "cup/2": "c2", "cup/Thumbs.db": "x", "cup/.DS_Store": "x",
	"more/pen/1.jpg": "p1", "more/cup/3.jpg": "c3", "more/desktop.ini": "x",
	"readme.txt": "x", "__MACOSX/cup/._1.jpg": "x", ".git/config": "x",
}

// checkThings compares examples with things.
func checkThings(t *testing.T, e *data.Examples) {
	t.Helper()
	want := []data.ExampleClass{{Name: "cup", Files: []string{"cup/1.jpg", "cup/2", "more/cup/3.jpg"}}, {Name: "pen", Files: []string{"more/pen/1.jpg"}}}
	if !slices.EqualFunc(e.Classes, want, func(a, b data.ExampleClass) bool { return a.Name == b.Name && slices.Equal(a.Files, b.Files) }) {
		t.Errorf("classes %v, want %v", e.Classes, want)
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
	flat, hollow, text := t.TempDir(), t.TempDir(), filepath.Join(t.TempDir(), "text")
	writeFile(t, filepath.Join(flat, "1.jpg"), "x")
	writeFile(t, filepath.Join(flat, ".git", "1.jpg"), "x")
	writeFile(t, filepath.Join(hollow, "cup", "1.jpg"), "x")
	writeFile(t, filepath.Join(hollow, "pen", "Thumbs.db"), "x")
	writeFile(t, text, "x")
	for path, want := range map[string]string{
		flat: "no sub-folders", hollow: "pen: the class has no pictures", text: "neither a folder nor a readable zip archive",
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
	files, err := data.Files(dir)
	var want []string
	for _, name := range []string{"cup/1.jpg", "cup/2", "more/cup/3.jpg", "more/pen/1.jpg", "readme.txt"} {
		want = append(want, filepath.Join(dir, filepath.FromSlash(name)))
	}
	if err != nil || !slices.Equal(files, want) {
		t.Errorf("%v, error %v, want %v", files, err, want)
	}
	one := filepath.Join(dir, "cup", ".DS_Store") // which is meant where it is named
	if files, err := data.Files(one); err != nil || !slices.Equal(files, []string{one}) {
		t.Errorf("%v, error %v, want the file itself", files, err)
	}
	if _, err := data.Files(filepath.Join(dir, "gone")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v", err)
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

// Projects of other programs are examples, too; those that hold none that can be taken
// over say why.
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
