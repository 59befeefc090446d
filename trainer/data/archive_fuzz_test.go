package data

import (
	"archive/zip"
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/bombs"
	"github.com/deepemd/deepemd/internal/require"
)

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
		// Deflate makes a thousand bytes of one, and a list of them a few copies.
		bombs.Budget(t, 8<<20, 8192, len(raw), func() {
			set, err := Open(path)
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

// packed is an archive whose entries have those names and the same content.
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
			t.Skip(err) // no name of an entry
		}
	}
	require.NoError(t, w.Close())
	return out.Bytes()
}
