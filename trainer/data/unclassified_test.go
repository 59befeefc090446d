package data_test

import (
	"archive/zip"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/trainer/data"
)

func TestOpenUnclassified(t *testing.T) {
	pixel := require.Value(os.ReadFile("../../core/imaging/testdata/pictures/1x1-420.jpg"))(t)
	for name, test := range map[string]struct {
		files []string
		want  string // class:file
	}{
		"flat":    {[]string{"b.jpg", "a.jpg"}, ":a.jpg :b.jpg"},
		"classes": {[]string{"x/1.jpg", "y/1.jpg"}, "x:x/1.jpg y:y/1.jpg"},
		"mixed":   {[]string{"top.jpg", "x/1.jpg", "x/deep/2.jpg"}, ":top.jpg deep:x/deep/2.jpg x:x/1.jpg"},
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
		t.TempDir():                                "no pictures",
		filepath.Join(t.TempDir(), "none"):         "is the path right?",
		"../../core/imaging/testdata/x.jpg":        "is the path right?",
		"../../core/imaging/testdata/cifar100.txt": "neither a folder nor a readable zip archive",
	} {
		if _, err := data.OpenUnclassified(root); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one that says %q", root, err, want)
		}
	}
}
